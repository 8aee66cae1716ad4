import type { PrintOptions } from '../../contracts/rest/schemas/print-options.ts';

/** Width and height in portrait. Ledger is Tabloid turned by 90°. */
const paperSizes: Readonly<Record<NonNullable<PrintOptions['format']>, [string, string]>> = {
  A0: ['841mm', '1189mm'],
  A1: ['594mm', '841mm'],
  A2: ['420mm', '594mm'],
  A3: ['297mm', '420mm'],
  A4: ['210mm', '297mm'],
  A5: ['148mm', '210mm'],
  A6: ['105mm', '148mm'],
  Letter: ['8.5in', '11in'],
  Legal: ['8.5in', '14in'],
  Tabloid: ['11in', '17in'],
  Ledger: ['17in', '11in'],
};

/** Parameters of `Page.printToPDF`, with lengths in inches. */
export type PrintParameters = ReturnType<typeof printParameters>;

const unitsPerInch: Readonly<Record<string, number>> = { px: 96, in: 1, cm: 2.54, mm: 25.4 };

const pointsPerInch = 72;
/** Subtracted from each paper size. Chromium rounds up to whole points, so an error in the last binary digit would make 596 of 595. */
const roundUpMarginInches = 1e-6;

/** Without a template Chromium prints its own title and date. */
const emptyTemplate = '<span></span>';
/** Chromium fills elements of the class `url` with the address of the page. The address of a package is internal. */
const hideUrl = '<style>.url { display: none }</style>';

/** Converts the options of a version to parameters of `Page.printToPDF`. By default margins are 0 and the paper is Letter, as in Playwright. */
export function printParameters(options: PrintOptions) {
  const [width, height] = paperSize(options);
  const { headerTemplate, footerTemplate, margin } = options;
  return {
    landscape: options.landscape,
    displayHeaderFooter: headerTemplate !== undefined || footerTemplate !== undefined,
    headerTemplate: headerTemplate === undefined ? emptyTemplate : hideUrl + headerTemplate,
    footerTemplate: footerTemplate === undefined ? emptyTemplate : hideUrl + footerTemplate,
    printBackground: options.printBackground,
    scale: options.scale,
    paperWidth: wholePoints(inches(width)),
    paperHeight: wholePoints(inches(height)),
    marginTop: inches(margin.top),
    marginRight: inches(margin.right),
    marginBottom: inches(margin.bottom),
    marginLeft: inches(margin.left),
    pageRanges: options.pageRanges ?? '',
    preferCSSPageSize: options.preferCSSPageSize,
    generateTaggedPDF: options.tagged,
    generateDocumentOutline: options.outline,
  };
}

function paperSize({ format, width, height }: PrintOptions): [string, string] {
  if (width !== undefined && height !== undefined) return [width, height];
  return paperSizes[format ?? 'Letter'];
}

/** Chromium rounds paper sizes up to whole points, which would make A4 wider than with `@page { size: A4 }`. */
const wholePoints = (length: number): number =>
  Math.round(length * pointsPerInch) / pointsPerInch - roundUpMarginInches;

function inches(length: string | undefined): number {
  if (length === undefined) return 0;
  return Number.parseFloat(length) / (unitsPerInch[length.slice(-2)] ?? 1);
}
