import { MiB } from '../../contracts/units.ts';
import { BrowserGone } from '../cdp/browser-gone.ts';
import type { Page } from '../page/open-page.ts';
import { RenderError } from '../render-error.ts';
import { canReadProcesses, measureMemoryBytes } from './browser-processes.ts';
import type { Browser } from './launch-browser.ts';

export interface WatchdogOptions {
  readonly renderTimeoutMs: number;
  readonly loadTimeoutMs: number;
  /** The maximum memory of all processes of the browser together. */
  readonly memoryLimitBytes: number;
  /** Cancels the job: the browser is killed. */
  readonly signal: AbortSignal;
  /** Describes the step that the print is waiting in, for the message of a time limit. */
  describeProgress(): string;
}

export interface Watchdog extends Disposable {
  /** Aborted, with the failure as its reason, when the watchdog has killed the browser or the browser has ended by itself. */
  readonly failureSignal: AbortSignal;
  /** Rejects with the reason of `failureSignal`. */
  readonly failure: Promise<never>;
  /** Ends the load timeout: from now on only the render timeout counts. */
  documentLoaded(): void;
}

/**
 * Time between two measurements of the memory. A page can fill about 1 GB/s, so it exceeds its limit by a few hundred MB at
 * most. Most jobs end before the first measurement.
 */
const memoryIntervalMs = 200;

/**
 * Watches a job from outside its page, because a page in an endless loop answers nothing and Chromium's printing has no timeout.
 * When a limit is exceeded, it kills the whole process group: a killed browser costs one job.
 */
export function watchJob(browser: Browser, page: Page, options: WatchdogOptions): Watchdog {
  const { renderTimeoutMs, loadTimeoutMs, memoryLimitBytes, signal, describeProgress } = options;
  const controller = new AbortController();
  const { promise: failure, reject } = Promise.withResolvers<never>();
  failure.catch(() => undefined);

  const fail = (reason: unknown): void => {
    if (controller.signal.aborted) return;
    controller.abort(reason);
    reject(reason);
    browser.kill(new BrowserGone('Chromium was killed.', { cause: reason }));
  };
  const onCancel = (): void => fail(signal.reason);
  const onGone = (): void => fail(browserCrashed(browser.gone.reason));
  const onCrash = (): void => fail(browserCrashed(page.crashed.reason));
  let isDisposed = false;
  const checkMemory = async (): Promise<void> => {
    const bytes = await measureMemoryBytes(browser).catch(() => 0);
    if (!isDisposed && bytes > memoryLimitBytes) fail(tooMuchMemory(memoryLimitBytes));
  };

  const renderTimer = setTimeout(
    () => fail(renderTimedOut(renderTimeoutMs, describeProgress())),
    renderTimeoutMs,
  );
  // The timeout that expires first determines the error code.
  const loadTimer =
    loadTimeoutMs < renderTimeoutMs
      ? setTimeout(() => fail(loadTimedOut(loadTimeoutMs, describeProgress())), loadTimeoutMs)
      : undefined;
  const memoryTimer = setInterval(checkMemory, memoryIntervalMs);
  if (!canReadProcesses) clearInterval(memoryTimer);
  signal.addEventListener('abort', onCancel);
  browser.gone.addEventListener('abort', onGone);
  page.crashed.addEventListener('abort', onCrash);
  if (signal.aborted) onCancel();
  if (browser.gone.aborted) onGone();

  return {
    failureSignal: controller.signal,
    failure,
    documentLoaded: () => clearTimeout(loadTimer),
    [Symbol.dispose]() {
      isDisposed = true;
      clearTimeout(renderTimer);
      clearTimeout(loadTimer);
      clearInterval(memoryTimer);
      signal.removeEventListener('abort', onCancel);
      browser.gone.removeEventListener('abort', onGone);
      page.crashed.removeEventListener('abort', onCrash);
    },
  };
}

/** The error of a job whose browser or page ended unexpectedly. */
export const browserCrashed = (cause: unknown): RenderError =>
  new RenderError(
    'render_crashed',
    'The rendering browser crashed. If that happens again, make the document simpler.',
    { cause },
  );

const tooMuchMemory = (limitBytes: number): RenderError =>
  new RenderError(
    'render_crashed',
    `The document needs more than the ${Math.round(limitBytes / MiB)} MiB of memory that a render may use: print fewer or smaller images and less data.`,
  );

const loadTimedOut = (limitMs: number, progress: string): RenderError =>
  new RenderError(
    'navigation_timeout',
    `The document did not load within ${limitMs} ms: ${progress}.`,
  );

const renderTimedOut = (limitMs: number, progress: string): RenderError =>
  new RenderError(
    'render_timeout_exceeded',
    `The document was not printed within ${limitMs} ms: ${progress}.`,
  );
