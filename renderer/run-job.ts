import type { Readable } from 'node:stream';
import type { PrintSettings } from '../contracts/processes/print-settings.ts';
import { resolveRoute } from '../contracts/rest/document-route.ts';
import type { BrowserPool, Lease } from './browser/browser-pool.ts';
import { browserSettings } from './browser/chromium-flags.ts';
import { crashed, watchJob } from './browser/watchdog.ts';
import { PageScriptError } from './page/evaluate.ts';
import { eventReporter, type ReportEvent } from './page/page-events.ts';
import { type Printed, printDocument } from './print-document.ts';
import { describeMissing, type PrintProgress } from './print-progress.ts';
import type { PrintRequest, PrintResult } from './print-request.ts';
import { followAddress } from './proxy/document-address.ts';
import { filePathToUrlPath } from './proxy/document-origin.ts';
import type { ProxyJob } from './proxy/proxy-job.ts';
import { RenderError } from './render-error.ts';
import { createStopwatch, type Stopwatch } from './stopwatch.ts';

/** What holds for every job of this renderer. */
export interface JobRules {
  readonly memoryLimitBytes: number;
  readonly egressAllow: readonly string[];
}

type Store<T> = (pdf: Readable) => Promise<T>;

/** Reading a file of the package, or storing the PDF, failed: the caller gets the cause, unchanged. */
class OutsideFault extends Error {
  override readonly name = 'OutsideFault';
}

const outsideFault = (cause: unknown): OutsideFault => new OutsideFault('outside', { cause });

/** Gets a browser, prints one document in it, and gives the browser back while the PDF is still being stored. */
export async function runJob<T>(
  pool: BrowserPool,
  rules: JobRules,
  request: PrintRequest,
  store: Store<T>,
): Promise<PrintResult<T>> {
  const url = documentUrl(request);
  const stopwatch = createStopwatch();
  const settings = browserSettings(request.pdf);
  const lease = await pool.acquire(request.workspaceId, settings, request.signal);
  stopwatch.lap('acquireMs');
  const guardedStore: Store<T> = (pdf) =>
    store(pdf).catch((cause) => Promise.reject(outsideFault(cause)));
  try {
    const printed = await holdBrowser(lease, rules, url, request, guardedStore, stopwatch);
    const stored = await printed.storing;
    stopwatch.lap('storeMs');
    const { timings } = stopwatch;
    return { ...printed.facts, stored, browserMs: timings.browserMs ?? 0, timings };
  } catch (error) {
    if (error instanceof OutsideFault) throw error.cause;
    if (!(error instanceof RenderError)) throw error;
    throw new RenderError(error.code, error.message, {
      cause: error.cause,
      timings: stopwatch.timings,
    });
  }
}

/** The time in which the browser is held, watched from outside. It is given back whatever happens. */
async function holdBrowser<T>(
  lease: Lease,
  rules: JobRules,
  url: URL,
  request: PrintRequest,
  store: Store<T>,
  { timings, lap, since }: Stopwatch,
): Promise<Printed<T>> {
  const { browser, page } = lease;
  const { memoryLimitBytes, egressAllow } = rules;
  const { limits, signal, pdf } = request;
  const progress: PrintProgress = { step: 'open' };
  const ended = new AbortController();
  using watchdog = watchJob(browser, page, {
    ...limits,
    memoryLimitBytes,
    signal,
    describeMissing: () => describeMissing(progress, url.origin),
  });
  const report = eventReporter(request.onEvent);
  const { promise: unreadable, reject } = Promise.withResolvers<never>();
  const proxyJob = describeToProxy(request, url, egressAllow, report, (error) =>
    reject(outsideFault(error)),
  );
  let reusable = false;
  try {
    browser.proxy.serve(proxyJob);
    const { maxOutputBytes } = limits;
    const { userAgent } = browser;
    const story = {
      page,
      userAgent,
      url,
      proxyJob,
      pdf: withinLimit(pdf, limits.renderTimeoutMs),
      maxOutputBytes,
      watchdog,
      progress,
      proxy: browser.proxy,
      ended: ended.signal,
      report,
      timings,
      lap,
      store,
    };
    const printed = await Promise.race([printDocument(story), unreadable, watchdog.fault]);
    reusable = true;
    return printed;
  } catch (error) {
    if (watchdog.ended.aborted) throw watchdog.ended.reason;
    if (error instanceof PageScriptError) {
      reusable = true;
      throw brokenPage(error);
    }
    reusable = error instanceof RenderError || error instanceof OutsideFault;
    // Chromium refused or forgot something that it should not: its process may be about to end.
    throw reusable ? error : crashed(error);
  } finally {
    // A print that lost the race above stops waiting, and touches no later job.
    ended.abort(new Error('The job has ended.'));
    since('acquireMs', 'browserMs');
    lease.release(reusable);
  }
}

/** A document that never comes to rest is printed in half of its time, so that it is printed at all. */
const withinLimit = (pdf: PrintSettings, renderTimeoutMs: number): PrintSettings => ({
  ...pdf,
  maxWaitMs:
    pdf.maxWaitMs === Number.POSITIVE_INFINITY
      ? pdf.maxWaitMs
      : Math.min(pdf.maxWaitMs, renderTimeoutMs / 2),
});

const brokenPage = (cause: PageScriptError): RenderError =>
  new RenderError(
    'render_failed',
    `The document replaced functions of the browser that printing needs: ${cause.message}`,
    { cause },
  );

const unknownFile = (filePath: string) => ({ filePath, search: '', hash: '' });

function documentUrl({ document, jobId, pdf }: PrintRequest): URL {
  if (document.type === 'package') {
    const { route, files } = document;
    // A commit checks that the file is there; without it the document answers 404.
    const { filePath, search, hash } = resolveRoute(route, files.has) ?? unknownFile(route);
    const path = filePathToUrlPath(filePath, pdf);
    return new URL(path + search + hash, `http://${jobId}.localhost`);
  }
  const url = URL.parse(document.targetUrl);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new RenderError(
    'render_failed',
    'The target URL is not one of http or https: correct the targetUrl of the deploy.',
  );
}

function describeToProxy(
  { document, payload, allowExternalNetwork }: PrintRequest,
  url: URL,
  egressAllow: readonly string[],
  report: ReportEvent,
  onReadError: (error: unknown) => void,
): ProxyJob {
  const denied = new Set<string>();
  const isPackage = document.type === 'package';
  const address = followAddress(url);
  return {
    address,
    files: isPackage ? document.files : undefined,
    payload,
    rules: {
      egressAllow,
      allowExternalNetwork,
      documentHosts: isPackage ? new Set<string>() : address.hosts,
    },
    onDenied: (target, reason) => {
      if (denied.has(target)) return;
      denied.add(target);
      const message = `${target} may not be reached: ${reason}`;
      report({ level: 'warn', stage: 'page', message, code: 'egress_denied' });
    },
    onReadError,
    faults: new Map(),
  };
}
