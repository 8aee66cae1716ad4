import { setTimeout as sleep } from 'node:timers/promises';
import type { CdpSession } from '../cdp/cdp-connection.ts';
import type { PdfContents } from '../pdf/pdf-contents.ts';
import { evaluate } from './evaluate.ts';
import { findCutElements, findMissingCharacters } from './loss-scripts.ts';
import { listFirst } from './message-parts.ts';
import type { Warn } from './page-events.ts';

/** Chromium shrinks wide content by at most this factor. It cuts content that is wider still [measured, Chromium 156]. */
const maxShrink = 1.5;
const roundingMargin = 0.001;
/** Time limit of the search for names. Most documents have lost nothing, and are not searched. */
const searchMs = 1_000;
/** Time limit of each search script, shorter so that the page answers before the search ends. */
const budgetMs = 300;
/** At most this many items of each kind are named: enough to find the cause. */
const maxNamed = 5;

/**
 * Warns of blank pages, and of content that the PDF lost. The PDF itself shows whether content was lost (pdf-contents.ts). Only
 * then is the page searched for the names of the lost characters and elements. The search happens after printing, so that no
 * change to the page for the search can be seen in the PDF.
 */
export async function warnOfLosses(
  page: CdpSession,
  contextId: number,
  scale: number,
  contents: PdfContents,
  warn: Warn,
): Promise<void> {
  const { missingGlyphs, blankPages } = contents;
  const widthPx = widthIfShrunkToLimit(contents, scale);
  if (blankPages.length > 0) warn('page_blank', describeBlankPages(blankPages));
  if (missingGlyphs === 0 && widthPx === undefined) return;
  let isReported = missingGlyphs === 0;
  const reportMissingGlyphs = (names: readonly string[]): void => {
    if (!isReported) warn('glyph_missing', describeMissingGlyphs(missingGlyphs, names));
    isReported = true;
  };
  const searchEnded = new AbortController();
  const search = async (): Promise<void> => {
    // Scripts of the page must not disturb the search.
    await page.send('Emulation.setScriptExecutionDisabled', { value: true });
    if (missingGlyphs > 0)
      reportMissingGlyphs(
        await evaluate(page, contextId, findMissingCharacters, { budgetMs, maxNamed }),
      );
    if (widthPx !== undefined)
      await warnOfCutElements(page, widthPx, contextId, warn, searchEnded.signal);
  };
  const searching = search().catch(() => undefined);
  const { signal } = searchEnded;
  await Promise.race([searching, sleep(searchMs, undefined, { signal })]).catch(() => undefined);
  searchEnded.abort();
  // Glyphs are known to be missing, even if the search for their names took too long.
  reportMissingGlyphs([]);
}

/**
 * Width in CSS pixels of the printed layout, if Chromium shrank it by `maxShrink`; undefined if it shrank it less. A picture
 * inside a page may happen to have the same scale. So layouts that fit on the paper are not considered.
 */
function widthIfShrunkToLimit(
  { areas, paperWidthPx }: PdfContents,
  scale: number,
): number | undefined {
  const widths = areas
    .filter((area) => Math.abs(scale / area.scale - maxShrink) < roundingMargin)
    .map(({ widthPx }) => widthPx)
    .filter((widthPx) => widthPx * scale >= paperWidthPx);
  return widths.length > 0 ? Math.max(...widths) : undefined;
}

/** Lays the page out at the printed width again, and warns of the elements that reach over its right edge. */
async function warnOfCutElements(
  page: CdpSession,
  widthPx: number,
  contextId: number,
  warn: Warn,
  searchEnded: AbortSignal,
): Promise<void> {
  const width = Math.floor(widthPx);
  const metrics = { width, height: width, deviceScaleFactor: 1, mobile: false };
  await page.send('Emulation.setDeviceMetricsOverride', { ...metrics, dontSetVisibleSize: true });
  const cut = await evaluate(page, contextId, findCutElements, { widthPx, budgetMs, maxNamed });
  if (searchEnded.aborted) return;
  for (const { name, overPx } of cut)
    warn(
      'content_cut',
      `${name} is cut off at the edge of the page: it is ${overPx} px wider than the ${width} px that fit, although it is printed at 1/${maxShrink} of its size.`,
    );
}

function describeBlankPages(pages: readonly number[]): string {
  return `Nothing is printed on page ${listFirst(pages, maxNamed)}. If that is not intended, look for an empty element or an element that ends with a page break, or print later: define window.renderReady.`;
}

function describeMissingGlyphs(count: number, names: readonly string[]): string {
  const list = names.length > 0 ? `: ${names.join(', ')}` : '';
  return `No font has a glyph for ${count} of the printed characters, so they are printed as empty boxes${list}. Add a font that has these characters to the document.`;
}
