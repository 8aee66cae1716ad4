import type { Page } from 'playwright';
import type { PrintOptions } from '../contracts/rest/schemas/print-options.ts';

/** Converts the print options of a version to options of Playwright's `page.pdf()`. */
export function pagePdfOptions(pdf: PrintOptions): Parameters<Page['pdf']>[0] {
  const { format, width, height, headerTemplate, footerTemplate } = pdf;
  return {
    ...(format && { format }),
    ...(width && height && { width, height }),
    margin: Object.fromEntries(Object.entries(pdf.margin).filter(([, length]) => length)),
    displayHeaderFooter: headerTemplate !== undefined || footerTemplate !== undefined,
    headerTemplate: headerTemplate ?? '<span></span>',
    footerTemplate: footerTemplate ?? '<span></span>',
    landscape: pdf.landscape,
    scale: pdf.scale,
    printBackground: pdf.printBackground,
    preferCSSPageSize: pdf.preferCSSPageSize,
    pageRanges: pdf.pageRanges ?? '',
    tagged: pdf.tagged,
    outline: pdf.outline,
  };
}
