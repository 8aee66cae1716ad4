import { setTimeout as sleep } from 'node:timers/promises';
import type { CdpSession } from './cdp/cdp-connection.ts';
import { nameSome } from './page/describe-value.ts';
import { evaluate } from './page/evaluate.ts';
import type { Warn } from './page/page-events.ts';
import { findCutElements, findMissingCharacters } from './page/warning-scripts.ts';
import type { PdfContents } from './pdf/pdf-contents.ts';

/** Chromium prints wide content smaller, but never more than this; what is wider still is cut [measured, Chromium 156]. */
const maxShrink = 1.5;
const roundingMargin = 0.001;
/** Most documents have nothing to be looked for. Those that have are not held up longer than this. */
const lookingMs = 1_000;
/** Inside the page, so that it answers before it is given up. */
const budgetMs = 300;
/** Named of each kind: enough to find the cause. */
const maxNamed = 5;

/**
 * Warns of what the PDF lost. The PDF itself tells whether (pdf-contents.ts); only then is the page asked what it was, after it
 * was printed, so that nothing that is done to it for this can be seen in the PDF.
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
  if (blankPages.length > 0) warn('page_blank', describeBlank(blankPages));
  if (missingGlyphs === 0 && widthPx === undefined) return;
  let isReported = missingGlyphs === 0;
  const reportMissing = (names: readonly string[]): void => {
    if (!isReported) warn('glyph_missing', describeMissing(missingGlyphs, names));
    isReported = true;
  };
  const ended = new AbortController();
  const look = async (): Promise<void> => {
    // No script of the page runs any more.
    await page.send('Emulation.setScriptExecutionDisabled', { value: true });
    if (missingGlyphs > 0)
      reportMissing(await evaluate(page, contextId, findMissingCharacters, { budgetMs, maxNamed }));
    if (widthPx !== undefined) await warnOfCuts(page, widthPx, contextId, warn, ended.signal);
  };
  const looked = look().catch(() => undefined);
  await Promise.race([looked, sleep(lookingMs, undefined, { signal: ended.signal })]).catch(
    () => undefined,
  );
  ended.abort();
  // That they are missing is known, even if the search for their names took too long.
  reportMissing([]);
}

/**
 * Width in CSS pixels of the layout that was printed, if it was made as small as Chromium makes it. A picture inside a page may
 * happen to have that scale, too; of a layout that is wider than the paper nothing is called cut that would fit.
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

async function warnOfCuts(
  page: CdpSession,
  widthPx: number,
  contextId: number,
  warn: Warn,
  ended: AbortSignal,
): Promise<void> {
  const width = Math.floor(widthPx);
  const metrics = { width, height: width, deviceScaleFactor: 1, mobile: false };
  await page.send('Emulation.setDeviceMetricsOverride', { ...metrics, dontSetVisibleSize: true });
  const cut = await evaluate(page, contextId, findCutElements, { widthPx, budgetMs, maxNamed });
  if (ended.aborted) return;
  for (const { name, overPx } of cut)
    warn(
      'content_cut',
      `${name} is cut at the edge of the page: it is ${overPx} px wider than the ${width} px that fit, though printed at 1/${maxShrink} of its size.`,
    );
}

function describeBlank(pages: readonly number[]): string {
  return `Nothing is printed on page ${nameSome(pages, maxNamed)}. If that is not wanted, look for an element that is empty or ends in a page break, or print later: define window.renderReady.`;
}

function describeMissing(count: number, names: readonly string[]): string {
  const which = names.length > 0 ? `: ${names.join(', ')}` : '';
  return `No font has a glyph for ${count} of the printed characters, which are empty boxes${which}. Add a font that has them to the document.`;
}
