import { setTimeout as sleep } from 'node:timers/promises';
import type { LogCode } from '../contracts/logs.ts';
import type { CdpSession } from './cdp-connection.ts';
import { evaluate } from './evaluate.ts';
import type { ReportEvent } from './page-events.ts';
import type { PdfContents } from './pdf-contents.ts';
import { findCutElements, findMissingCharacters } from './warning-scripts.ts';

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
  scale: number,
  contents: PdfContents,
  report: ReportEvent,
): Promise<void> {
  const { missingGlyphs } = contents;
  const widthPx = widthIfShrunkToLimit(contents, scale);
  if (missingGlyphs === 0 && widthPx === undefined) return;
  const warn = (code: LogCode, message: string): void =>
    report({ level: 'warn', stage: 'page', code, message });
  let told = missingGlyphs === 0;
  const tellMissing = (names: readonly string[]): void => {
    if (!told) warn('glyph_missing', describeMissing(missingGlyphs, names));
    told = true;
  };
  const given = new AbortController();
  const look = async (): Promise<void> => {
    const contextId = await freeze(page);
    if (missingGlyphs > 0) {
      const names = await evaluate(page, findMissingCharacters, { budgetMs, maxNamed }, contextId);
      tellMissing(names);
    }
    if (widthPx !== undefined) await warnOfCuts(page, widthPx, contextId, warn, given.signal);
  };
  const looked = look().catch(() => undefined);
  await Promise.race([looked, sleep(lookingMs, undefined, { signal: given.signal })]).catch(
    () => undefined,
  );
  given.abort();
  // That they are missing is known, whatever became of the search for their names.
  tellMissing([]);
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

/** No script of the page runs any more, and ours run in a world that it cannot see. */
async function freeze(page: CdpSession): Promise<number> {
  await page.send('Emulation.setScriptExecutionDisabled', { value: true });
  const { frameTree } = await page.send('Page.getFrameTree');
  const world = { frameId: frameTree.frame.id, worldName: 'warnings' };
  return (await page.send('Page.createIsolatedWorld', world)).executionContextId;
}

async function warnOfCuts(
  page: CdpSession,
  widthPx: number,
  contextId: number,
  warn: (code: LogCode, message: string) => void,
  given: AbortSignal,
): Promise<void> {
  const width = Math.floor(widthPx);
  const metrics = { width, height: width, deviceScaleFactor: 1, mobile: false };
  await page.send('Emulation.setDeviceMetricsOverride', { ...metrics, dontSetVisibleSize: true });
  const cut = await evaluate(page, findCutElements, { widthPx, budgetMs, maxNamed }, contextId);
  if (given.aborted) return;
  for (const { name, overPx } of cut)
    warn(
      'content_cut',
      `${name} is cut at the edge of the page: it is ${overPx} px wider than the ${width} px that fit, though printed at 1/${maxShrink} of its size.`,
    );
}

function describeMissing(count: number, names: readonly string[]): string {
  const which = names.length > 0 ? `: ${names.join(', ')}` : '';
  return `No font has a glyph for ${count} of the printed characters, which are empty boxes${which}. Add a font that has them to the document.`;
}
