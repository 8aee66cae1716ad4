import type { Readable } from 'node:stream';
import type { PrintSettings } from '../contracts/processes/print-settings.ts';
import type { Watchdog } from './browser/watchdog.ts';
import { CdpError } from './cdp/cdp-connection.ts';
import { emulate } from './page/emulate.ts';
import { evaluate } from './page/evaluate.ts';
import { warnOfLosses } from './page/loss-warnings.ts';
import { listFirst } from './page/message-parts.ts';
import { failOnErrorStatus, openDocument } from './page/open-document.ts';
import type { Page } from './page/open-page.ts';
import { type PageActivity, type PendingRequest, trackActivity } from './page/page-activity.ts';
import { createWarn, type ReportEvent, reportPageEvents, type Warn } from './page/page-events.ts';
import { rewriteLinks } from './page/page-scripts.ts';
import type { PrintProgress } from './page/print-progress.ts';
import { type Readiness, restartOnNavigation, waitUntilReady } from './page/readiness.ts';
import { warnOfUnfinishedRequests, warnOfUnfinishedWork } from './page/unfinished-warnings.ts';
import type { PdfChunks } from './pdf/pdf-stream.ts';
import { type PdfFacts, streamPdf } from './pdf/pdf-stream.ts';
import { printParameters } from './pdf/print-parameters.ts';
import type { EgressProxy } from './proxy/egress-proxy.ts';
import type { ProxyJob } from './proxy/proxy-job.ts';
import { RenderError, type RenderTimings } from './render-error.ts';

/** One print, with everything that its steps need. */
export interface PrintJob<T> {
  readonly page: Page;
  /** User agent of the browser. Chromium sets the language of a page only together with a user agent. */
  readonly userAgent: string;
  /** Address of the document. */
  readonly url: URL;
  readonly proxyJob: ProxyJob;
  readonly pdf: PrintSettings;
  readonly maxOutputBytes: number;
  readonly watchdog: Watchdog;
  /** Updated as the print advances: the message of a time limit is made from it. */
  readonly progress: PrintProgress;
  readonly proxy: Pick<EgressProxy, 'abortRequests' | 'isRequestOpen'>;
  /** Aborted when the job has ended, with or without success. */
  readonly jobEnded: AbortSignal;
  readonly report: ReportEvent;
  readonly timings: RenderTimings;
  /** Records how long the step took that ends now, and returns its milliseconds. */
  readonly lap: (step: 'loadMs' | 'readyMs' | 'printMs') => number;
  readonly store: (pdf: Readable) => Promise<T>;
}

export interface Printed<T> {
  readonly facts: PdfFacts;
  /** The promise of the caller's `store`, which may still run after the last byte has left the browser. */
  readonly storing: Promise<T>;
}

/** The print and the observers of its page, which all steps share. */
interface Observed<T> {
  readonly job: PrintJob<T>;
  readonly activity: PageActivity;
  /** Addresses of failed requests that are not reported (again). */
  readonly failedUrls: Set<string>;
  readonly warn: Warn;
}

/** Types of requests that Chromium waits for when it prints, 2 s at most [measured, Chromium 156]. */
const typesAwaitedByPrint = new Set(['Image', 'Stylesheet', 'Font']);
/** Before printing, the longest wait until Chromium reports the requests that we aborted as ended. It usually takes milliseconds. */
const abortNoticeMs = 250;
/** At most this many links are named in the log. */
const maxNamedLinks = 5;

/**
 * Opens a document, waits until it is ready, prints it and stores its PDF.
 *
 * @returns when the last byte has left the browser; storing may go on
 */
export async function printDocument<T>(job: PrintJob<T>): Promise<Printed<T>> {
  const observed = observe(job);
  await emulate(job.page.cdp, job.pdf, job.userAgent);
  await openDocument(job.page.cdp, observed.activity, job);
  const readiness = await waitForDocument(observed);
  warnOfUnfinishedWork(readiness, { ...observed, pdf: job.pdf, origin: job.url.origin });
  await abortRequestsAwaitedByPrint(observed, readiness.unfinished);
  reportReady(job);
  const chunks = await print(job);
  warnOfLateRequests(observed, readiness.unfinished);
  return await storePdf(observed, readiness.contextId, chunks);
}

/** Starts to listen to the events of the page. Must be called before the document is opened, or the first events are missed. */
function observe<T>(job: PrintJob<T>): Observed<T> {
  const { page, proxy, url } = job;
  const warn = createWarn(job.report);
  const activity = trackActivity(page, proxy.isRequestOpen, job.jobEnded);
  job.progress.activity = activity;
  const failedUrls = reportPageEvents(page, url.origin, warn);
  warnOfOtherSites(job, warn);
  return { job, activity, failedUrls, warn };
}

/** Waits until the document, or the document that it navigates to, is ready. Rewrites the links of a package. */
function waitForDocument(observed: Observed<unknown>): Promise<Readiness> {
  const { job, activity } = observed;
  const { page, pdf, url, proxyJob, progress } = job;
  return restartOnNavigation(activity, async (waitUntil) => {
    const readiness = await waitUntilReady({
      page,
      activity,
      waitUntil,
      rule: pdf,
      origin: url.origin,
      onWait: (condition) => {
        progress.step = condition;
      },
      onLoaded: () => reportLoaded(job),
    });
    failOnErrorStatus(activity, job);
    if (proxyJob.files) await rewritePackageLinks(observed, readiness.contextId);
    return readiness;
  });
}

/** `loadMs` is the time of the first document only, if the page navigates to others. */
function reportLoaded({ watchdog, report, timings, lap }: PrintJob<unknown>): void {
  watchdog.documentLoaded();
  if (timings.loadMs === undefined)
    report({ level: 'info', stage: 'load', message: `loaded in ${lap('loadMs')} ms` });
}

function reportReady({ report, lap }: PrintJob<unknown>): void {
  report({ level: 'info', stage: 'ready', message: `ready after ${lap('readyMs')} ms` });
}

/** Warns when the page navigates to another site, where the payload is not available. The page itself cannot see the reason. */
function warnOfOtherSites({ page, url, proxyJob }: PrintJob<unknown>, warn: Warn): void {
  page.cdp.on('Page.frameNavigated', ({ frame }) => {
    const shownUrl = URL.parse(frame.url);
    if (frame.parentId !== undefined || !shownUrl?.protocol.startsWith('http')) return;
    if (proxyJob.address.isDocumentOrigin(shownUrl)) return;
    warn(
      'payload_unavailable',
      `The document navigated to ${shownUrl.origin}, which is not the site ${url.origin}, so /__payload is not available there. Set targetUrl to the address on ${shownUrl.origin}.`,
    );
  });
}

/** Aborts the requests that Chromium would wait for once more when it prints. */
async function abortRequestsAwaitedByPrint(
  { job, activity, failedUrls }: Observed<unknown>,
  unfinished: readonly PendingRequest[],
): Promise<void> {
  const awaited = unfinished.filter(({ type }) => typesAwaitedByPrint.has(type));
  if (awaited.length === 0) return;
  // They fail because we abort them, so the log must not call that a failure of the site.
  for (const { url } of awaited) failedUrls.add(url);
  job.proxy.abortRequests(awaited.map(({ url }) => url));
  const areEnded = (): boolean => !awaited.some((request) => activity.pending.includes(request));
  await activity.waitUntil(areEnded, performance.now() + abortNoticeMs);
}

async function rewritePackageLinks(
  { job, warn }: Observed<unknown>,
  contextId: number,
): Promise<void> {
  const { linkBase } = job.pdf;
  const dropped = await evaluate(job.page.cdp, contextId, rewriteLinks, { linkBase });
  if (dropped.length === 0) return;
  warn(
    'link_dropped',
    `Links to ${listFirst(dropped, maxNamedLinks)} do not work in the PDF. Set linkBase to the address where readers of the PDF find these pages.`,
  );
}

async function print({ page, pdf, progress, report, lap }: PrintJob<unknown>): Promise<PdfChunks> {
  progress.step = 'print';
  const chunks = await page.print(printParameters(pdf)).catch(rejectPrint);
  report({ level: 'info', stage: 'print', message: `printed in ${lap('printMs')} ms` });
  return chunks;
}

function rejectPrint(error: unknown): never {
  if (!(error instanceof CdpError)) throw error;
  const message = `The document could not be printed. ${error.message}`;
  throw new RenderError('render_failed', message, { cause: error });
}

/** Warns of images, stylesheets and fonts that were requested only while Chromium printed. */
function warnOfLateRequests(
  { job, activity, warn }: Observed<unknown>,
  alreadyReported: readonly PendingRequest[],
): void {
  const late = activity.pending.filter(
    (request) => typesAwaitedByPrint.has(request.type) && !alreadyReported.includes(request),
  );
  warnOfUnfinishedRequests(late, job.url.origin, warn);
}

async function storePdf<T>(
  { job, warn }: Observed<T>,
  contextId: number,
  chunks: PdfChunks,
): Promise<Printed<T>> {
  const { page, maxOutputBytes, watchdog, store } = job;
  const pdf = streamPdf(chunks, maxOutputBytes);
  // Nothing of a failed job may be stored.
  const abortStream = (): void => void pdf.stream.destroy(watchdog.failureSignal.reason);
  watchdog.failureSignal.addEventListener('abort', abortStream);
  const storing = store(pdf.stream);
  try {
    // A store that fails ends the job at once; one that succeeds has read to the end.
    const facts = await Promise.race([pdf.complete, storing.then(() => pdf.complete)]);
    await warnOfLosses(page.cdp, contextId, job.pdf.scale, pdf.contents, warn);
    return { facts, storing };
  } catch (error) {
    // The caller learns of the failure only after its `store` has ended.
    await storing.catch(() => undefined);
    throw error;
  } finally {
    watchdog.failureSignal.removeEventListener('abort', abortStream);
  }
}
