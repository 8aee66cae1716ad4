import type { Readable } from 'node:stream';
import type { PrintSettings } from '../contracts/processes/print-settings.ts';
import { hostAndPort } from '../network/egress-policy.ts';
import { hostOf, portOf } from '../network/url-target.ts';
import type { Watchdog } from './browser/watchdog.ts';
import { CdpError } from './cdp/cdp-connection.ts';
import { nameSome, publicUrl, secondsSince } from './page/describe-value.ts';
import { evaluate } from './page/evaluate.ts';
import type { Page } from './page/open-page.ts';
import { followActivity, type PageActivity, type PendingRequest } from './page/page-activity.ts';
import { type ReportEvent, reportPageEvents, type Warn, warner } from './page/page-events.ts';
import { rewriteLinks } from './page/page-scripts.ts';
import { type Readiness, waitUntilReady, withLastDocument } from './page/readiness.ts';
import type { PdfChunks } from './pdf/pdf-stream.ts';
import { type PdfFacts, streamPdf } from './pdf/pdf-stream.ts';
import { printParameters } from './pdf/print-parameters.ts';
import type { PrintProgress } from './print-progress.ts';
import { warnOfLosses } from './print-warnings.ts';
import type { EgressProxy } from './proxy/egress-proxy.ts';
import type { ProxyJob } from './proxy/proxy-job.ts';
import { RenderError, type RenderTimings } from './render-error.ts';

export interface PrintStory<T> {
  readonly page: Page;
  /** Name of the browser: Chromium sets the language only together with it. */
  readonly userAgent: string;
  /** Address of the document. */
  readonly url: URL;
  readonly proxyJob: ProxyJob;
  readonly pdf: PrintSettings;
  readonly maxOutputBytes: number;
  readonly watchdog: Watchdog;
  /** Updated as the print advances: the message of a time limit is made from it. */
  readonly progress: PrintProgress;
  readonly proxy: Pick<EgressProxy, 'cut' | 'isOpen'>;
  /** Aborted when the job has ended, however it did. */
  readonly ended: AbortSignal;
  readonly report: ReportEvent;
  readonly timings: RenderTimings;
  /** Notes how long a step took. */
  readonly lap: (step: 'loadMs' | 'readyMs' | 'printMs') => number;
  readonly store: (pdf: Readable) => Promise<T>;
}

export interface Printed<T> {
  readonly facts: PdfFacts;
  /** The caller's storing, which goes on after the last byte has left the browser. */
  readonly storing: Promise<T>;
}

/** Requests that Chromium waits for when it prints, 2 s at most [measured, Chromium 156]. */
const heldByPrinting = new Set(['Image', 'Stylesheet', 'Font']);
/** Chromium hears within milliseconds that a request was ended. */
const cutMs = 250;
/** Named of one kind in the log. */
const maxNamed = 5;

/** One print: open the document, wait until it is ready, print it, hand over its bytes. */
export async function printDocument<T>(story: PrintStory<T>): Promise<Printed<T>> {
  const { page, url, report, proxyJob, progress, lap } = story;
  const warn = warner(report);
  const activity = followActivity(page, story.proxy.isOpen, story.ended);
  progress.activity = activity;
  const failed = reportPageEvents(page, url.origin, warn);
  warnOfOtherSites(page, story, warn);

  await emulate(story);
  await openDocument(story, activity);
  const ready = await withLastDocument(activity, async (until) => {
    const readiness = await waitUntilReady({
      page,
      activity,
      until,
      rule: story.pdf,
      origin: url.origin,
      onWait: (condition) => {
        progress.step = condition;
      },
      onLoaded: () => reportLoaded(story),
    });
    failOnStatus(story, activity);
    if (proxyJob.files) await rewritePackageLinks(story, readiness.contextId, warn);
    return readiness;
  });
  warnOfUnfinishedWork(ready, activity, failed, story, warn);
  await endHeldRequests(story, activity, ready.unfinished, failed);
  report({ level: 'info', stage: 'ready', message: `ready after ${lap('readyMs')} ms` });

  progress.step = 'print';
  const chunks = await print(story);
  report({ level: 'info', stage: 'print', message: `printed in ${lap('printMs')} ms` });
  const late = activity.pending.filter(
    (request) => heldByPrinting.has(request.type) && !ready.unfinished.includes(request),
  );
  warnOfUnfinished(late, url.origin, warn);
  return await handOver(story, ready.contextId, chunks, warn);
}

/** `loadMs` is about the first document only, if the page goes on to others. */
function reportLoaded({ watchdog, report, timings, lap }: PrintStory<unknown>): void {
  watchdog.documentLoaded();
  if (timings.loadMs === undefined)
    report({ level: 'info', stage: 'load', message: `loaded in ${lap('loadMs')} ms` });
}

/** In force before the document's first script runs. Most jobs need nothing of it, and send nothing. */
async function emulate({ page, pdf, userAgent }: PrintStory<unknown>): Promise<void> {
  const { media, locale, timezone } = pdf;
  // Chromium has its own lists, which may lack what the schema accepts.
  const refused = (option: string) => (error: unknown) => {
    if (!(error instanceof CdpError)) throw error;
    const message = `Chromium does not know the ${option} of the version: commit it with another.`;
    throw new RenderError('render_failed', message, { cause: error });
  };
  await Promise.all([
    media !== 'screen-then-print' && page.cdp.send('Emulation.setEmulatedMedia', { media }),
    locale &&
      page.cdp.send('Emulation.setLocaleOverride', { locale }).catch(refused(`locale ${locale}`)),
    locale &&
      page.cdp.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: locale }),
    timezone &&
      page.cdp
        .send('Emulation.setTimezoneOverride', { timezoneId: timezone })
        .catch(refused(`timezone ${timezone}`)),
  ]);
}

async function openDocument(story: PrintStory<unknown>, activity: PageActivity): Promise<void> {
  const { page, url, proxyJob } = story;
  const { errorText } = await page.cdp.send('Page.navigate', { url: url.href });
  if (errorText) {
    const why = faultOf(story, proxyJob.address.current) ?? `${errorText}.`;
    throw new RenderError('render_failed', `The document could not be opened. ${why}`);
  }
  await activity.until(() => activity.document !== undefined);
  failOnStatus(story, activity);
}

function failOnStatus(story: PrintStory<unknown>, { document }: PageActivity): void {
  const { url, proxyJob } = story;
  const status = document?.status ?? 0;
  if (status < 400) return;
  const shown = URL.parse(document?.url ?? '') ?? url;
  const why =
    faultOf(story, shown) ??
    `Its address answered ${status}: ${proxyJob.files ? 'check the route of the version' : 'check the target URL'}.`;
  throw new RenderError('render_failed', `The document could not be opened. ${why}`);
}

/** Why the last connection to a host failed, and that the target redirects there if it does. */
function faultOf({ url, proxyJob }: PrintStory<unknown>, shown: URL): string | undefined {
  const host = hostAndPort(hostOf(shown), portOf(shown));
  const fault = proxyJob.faults.get(host);
  if (!fault) return undefined;
  return shown.host === url.host ? fault : `It redirects to ${host}. ${fault}`;
}

/** A page that goes on to another site reads no payload there: the log says so, because the page itself cannot. */
function warnOfOtherSites(page: Page, { url, proxyJob }: PrintStory<unknown>, warn: Warn): void {
  page.cdp.on('Page.frameNavigated', ({ frame }) => {
    const shown = URL.parse(frame.url);
    if (frame.parentId !== undefined || !shown?.protocol.startsWith('http')) return;
    if (proxyJob.address.isHome(shown)) return;
    warn(
      'payload_unavailable',
      `The document went on to ${shown.origin}, which is another site than ${url.origin}: /__payload is not answered there. Give that address as the targetUrl.`,
    );
  });
}

function warnOfUnfinishedWork(
  { idle, unfinished, broken }: Readiness,
  { document }: PageActivity,
  failed: ReadonlySet<string>,
  { pdf, url }: PrintStory<unknown>,
  warn: Warn,
): void {
  for (const image of broken.images)
    if (!failed.has(image))
      warn('image_broken', `${publicUrl(image, url.origin)} is no image that can be shown.`);
  warnOfUnfinished(unfinished, url.origin, warn);
  if (!idle && unfinished.length === 0)
    warn(
      'never_idle',
      `${document?.loaded ? 'Scripts or animations of the document were still running' : 'The load event of the document had not fired'} ${pdf.maxWaitMs} ms after its HTML was read, and it was printed as it was: define window.renderReady, or set waitFor or maxWaitMs.`,
    );
}

function warnOfUnfinished(requests: readonly PendingRequest[], origin: string, warn: Warn): void {
  for (const { url, beganAt } of requests.slice(0, maxNamed))
    warn(
      'request_unfinished',
      `${publicUrl(url, origin)} had been under way for ${secondsSince(beganAt)} when the document was printed, and was not waited for any longer.`,
    );
  if (requests.length > maxNamed)
    warn('request_unfinished', `${requests.length - maxNamed} more requests were under way.`);
}

/** Chromium would wait for these again when it prints. */
async function endHeldRequests(
  { proxy }: PrintStory<unknown>,
  activity: PageActivity,
  unfinished: readonly PendingRequest[],
  failed: Set<string>,
): Promise<void> {
  const held = unfinished.filter(({ type }) => heldByPrinting.has(type));
  if (held.length === 0) return;
  // That they failed is no news of the site.
  for (const { url } of held) failed.add(url);
  proxy.cut(held.map(({ url }) => url));
  const isEnded = (): boolean => !held.some((request) => activity.pending.includes(request));
  await activity.until(isEnded, performance.now() + cutMs);
}

async function rewritePackageLinks(
  { page, pdf }: PrintStory<unknown>,
  contextId: number,
  warn: Warn,
): Promise<void> {
  const { linkBase } = pdf;
  const dropped = await evaluate(page.cdp, contextId, rewriteLinks, { linkBase });
  if (dropped.length === 0) return;
  warn(
    'link_dropped',
    `Links to ${nameSome(dropped, maxNamed)} lead nowhere in the PDF: set linkBase to the address where these pages are for its readers.`,
  );
}

async function print({ page, pdf }: PrintStory<unknown>): Promise<PdfChunks> {
  try {
    return await page.print(printParameters(pdf));
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    throw new RenderError('render_failed', `The document could not be printed. ${error.message}`, {
      cause: error,
    });
  }
}

async function handOver<T>(
  story: PrintStory<T>,
  contextId: number,
  chunks: PdfChunks,
  warn: Warn,
): Promise<Printed<T>> {
  const { page, maxOutputBytes, watchdog, store } = story;
  const pdf = streamPdf(chunks, maxOutputBytes);
  // Nothing of a job that was given up may be stored.
  const giveUp = (): void => void pdf.stream.destroy(watchdog.ended.reason);
  watchdog.ended.addEventListener('abort', giveUp);
  const storing = store(pdf.stream);
  try {
    // A store that fails ends the job at once; one that succeeds has read to the end.
    const facts = await Promise.race([pdf.complete, storing.then(() => pdf.complete)]);
    await warnOfLosses(page.cdp, contextId, story.pdf.scale, pdf.contents, warn);
    return { facts, storing };
  } catch (error) {
    // When this is heard of, nothing is being stored any more.
    await storing.catch(() => undefined);
    throw error;
  } finally {
    watchdog.ended.removeEventListener('abort', giveUp);
  }
}
