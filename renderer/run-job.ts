import type { Readable } from 'node:stream';
import type { PrintSettings } from '../contracts/processes/print-settings.ts';
import type { BrowserPool, Lease } from './browser/browser-pool.ts';
import { pickBrowserSettings } from './browser/chromium-flags.ts';
import { browserCrashed, type Watchdog, watchJob } from './browser/watchdog.ts';
import { createProxyJob } from './create-proxy-job.ts';
import { documentUrl } from './document-url.ts';
import { PageScriptError } from './page/evaluate.ts';
import { createReporter } from './page/page-events.ts';
import { describeProgress, type PrintProgress } from './page/print-progress.ts';
import { type Printed, printDocument } from './print-document.ts';
import type { PrintRequest, PrintResult } from './print-request.ts';
import { RenderError, type RenderTimings } from './render-error.ts';
import { createStopwatch, type Stopwatch } from './stopwatch.ts';

/** Limits that are the same for every job of a renderer. */
export interface JobRules {
  readonly memoryLimitBytes: number;
  readonly egressAllow: readonly string[];
}

type Store<T> = (pdf: Readable) => Promise<T>;

/** Code of the caller failed: reading a file of the package, or storing the PDF. The caller gets the cause, unchanged. */
class CallerError extends Error {
  override readonly name = 'CallerError';
}

/**
 * Waits for a browser, prints one document in it, and releases it while the PDF is still being stored.
 *
 * @throws RenderError when the document or its browser failed
 * @throws the reason of the request's signal when that aborts
 * @throws the error of `store` or of the package's files, unchanged
 */
export async function runJob<T>(
  pool: BrowserPool,
  rules: JobRules,
  request: PrintRequest,
  store: Store<T>,
): Promise<PrintResult<T>> {
  const url = documentUrl(request);
  const stopwatch = createStopwatch();
  const settings = pickBrowserSettings(request.pdf);
  const lease = await pool.acquire(request.workspaceId, settings, request.signal);
  stopwatch.lap('acquireMs');
  const markedStore: Store<T> = (pdf) => store(pdf).catch(throwCallerError);
  try {
    const job = { lease, rules, url, request, store: markedStore, stopwatch };
    const printed = await printInBrowser(job);
    const stored = await printed.storing;
    stopwatch.lap('storeMs');
    const { timings } = stopwatch;
    return { ...printed.facts, stored, browserMs: timings.browserMs ?? 0, timings };
  } catch (error) {
    throw toPublicError(error, stopwatch.timings);
  }
}

interface BrowserJob<T> {
  readonly lease: Lease;
  readonly rules: JobRules;
  /** Address of the document. */
  readonly url: URL;
  readonly request: PrintRequest;
  readonly store: Store<T>;
  readonly stopwatch: Stopwatch;
}

/** Prints in the leased browser while a watchdog watches it from outside. The browser is released in any case. */
async function printInBrowser<T>(job: BrowserJob<T>): Promise<Printed<T>> {
  const { lease, rules, url, request, store, stopwatch } = job;
  const { browser, page } = lease;
  const { limits, signal, pdf } = request;
  const progress: PrintProgress = { step: 'open' };
  const jobEnded = new AbortController();
  const readFailure = Promise.withResolvers<never>();
  const report = createReporter(request.onEvent);
  using watchdog = watchJob(browser, page, {
    ...limits,
    memoryLimitBytes: rules.memoryLimitBytes,
    signal,
    describeProgress: () => describeProgress(progress, url.origin),
  });
  const proxyJob = createProxyJob({
    request,
    url,
    egressAllow: rules.egressAllow,
    report,
    onReadError: (cause) => readFailure.reject(toCallerError(cause)),
  });
  let isReusable = false;
  try {
    browser.proxy.serve(proxyJob);
    const printing = printDocument({
      page,
      userAgent: browser.userAgent,
      url,
      proxyJob,
      pdf: limitMaxWait(pdf, limits.renderTimeoutMs),
      maxOutputBytes: limits.maxOutputBytes,
      watchdog,
      progress,
      proxy: browser.proxy,
      jobEnded: jobEnded.signal,
      report,
      timings: stopwatch.timings,
      lap: stopwatch.lap,
      store,
    });
    const printed = await Promise.race([printing, readFailure.promise, watchdog.failure]);
    isReusable = true;
    return printed;
  } catch (error) {
    const failure = classifyFailure(error, watchdog);
    isReusable = failure.isBrowserReusable;
    throw failure.error;
  } finally {
    // A print that lost the race above stops waiting here, so that it does not touch a later job.
    jobEnded.abort(new Error('The job has ended.'));
    stopwatch.recordSince('acquireMs', 'browserMs');
    lease.release(isReusable);
  }
}

/**
 * Limits `maxWaitMs` to half of the render timeout, so that there is time left to print a document that never becomes idle. An
 * infinite `maxWaitMs` (generation 1) stays.
 */
const limitMaxWait = (pdf: PrintSettings, renderTimeoutMs: number): PrintSettings => ({
  ...pdf,
  maxWaitMs:
    pdf.maxWaitMs === Number.POSITIVE_INFINITY
      ? pdf.maxWaitMs
      : Math.min(pdf.maxWaitMs, renderTimeoutMs / 2),
});

/** The error that a print ends with, and whether its browser may print other jobs. */
function classifyFailure(
  error: unknown,
  { failureSignal }: Watchdog,
): { error: unknown; isBrowserReusable: boolean } {
  if (failureSignal.aborted) return { error: failureSignal.reason, isBrowserReusable: false };
  if (error instanceof PageScriptError)
    return { error: functionsReplaced(error), isBrowserReusable: true };
  if (error instanceof RenderError || error instanceof CallerError)
    return { error, isBrowserReusable: true };
  // Chromium refused a command or lost a page, which it should not: its process may be about to end.
  return { error: browserCrashed(error), isBrowserReusable: false };
}

const functionsReplaced = (cause: PageScriptError): RenderError =>
  new RenderError(
    'render_failed',
    `The document replaced functions of the browser that printing needs: ${cause.message}`,
    { cause },
  );

const toCallerError = (cause: unknown): CallerError =>
  new CallerError('The code of the caller failed.', { cause });

function throwCallerError(cause: unknown): never {
  throw toCallerError(cause);
}

/** The error as the caller of the renderer gets it: its own errors unchanged, a RenderError with the timings. */
function toPublicError(error: unknown, timings: RenderTimings): unknown {
  if (error instanceof CallerError) return error.cause;
  if (!(error instanceof RenderError)) return error;
  return new RenderError(error.code, error.message, { cause: error.cause, timings });
}
