import { MiB } from '../../contracts/units.ts';
import { BrowserGone } from '../cdp/browser-gone.ts';
import type { Page } from '../page/open-page.ts';
import { RenderError } from '../render-error.ts';
import type { Browser } from './launch-browser.ts';
import { canReadProcesses, memoryOf } from './process-tree.ts';

export interface WatchdogOptions {
  readonly renderTimeoutMs: number;
  readonly loadTimeoutMs: number;
  /** Most memory of all of the browser's processes together. */
  readonly memoryLimitBytes: number;
  readonly signal: AbortSignal;
  /** The condition that the document has not met so far, as its author reads it. */
  describeMissing(): string;
}

export interface Watchdog extends Disposable {
  /** Aborted, with the fault as its reason, when the browser was killed or is gone. */
  readonly ended: AbortSignal;
  /** Rejects with that fault. */
  readonly fault: Promise<never>;
  /** The document has loaded: from now on only the whole limit counts. */
  documentLoaded(): void;
}

/** A page fills about 1 GB/s, so it oversteps its cap by no more than a few hundred MB; most jobs end before the first look. */
const memoryIntervalMs = 200;

/**
 * Watches a job from outside its page, because a page in an endless loop answers nothing and printing has no timeout. Whatever
 * it sees, it kills the whole process group: a killed browser costs one job.
 */
export function watchJob(browser: Browser, page: Page, options: WatchdogOptions): Watchdog {
  const { renderTimeoutMs, loadTimeoutMs, memoryLimitBytes, signal, describeMissing } = options;
  const ended = new AbortController();
  const { promise: fault, reject } = Promise.withResolvers<never>();
  fault.catch(() => undefined);

  const end = (reason: unknown): void => {
    if (ended.signal.aborted) return;
    ended.abort(reason);
    reject(reason);
    browser.kill(new BrowserGone('Chromium was killed.', { cause: reason }));
  };
  const onCancel = (): void => end(signal.reason);
  const onGone = (): void => end(crashed(browser.gone.reason));
  const onCrash = (): void => end(crashed(page.crashed.reason));
  let disposed = false;
  const checkMemory = async (): Promise<void> => {
    const bytes = await memoryOf(browser).catch(() => 0);
    if (!disposed && bytes > memoryLimitBytes) end(tooMuchMemory(memoryLimitBytes));
  };

  const renderTimer = setTimeout(
    () => end(renderTimedOut(renderTimeoutMs, describeMissing())),
    renderTimeoutMs,
  );
  // The first to expire names the code.
  const loadTimer =
    loadTimeoutMs < renderTimeoutMs
      ? setTimeout(() => end(loadTimedOut(loadTimeoutMs, describeMissing())), loadTimeoutMs)
      : undefined;
  const memoryTimer = setInterval(checkMemory, memoryIntervalMs);
  if (!canReadProcesses) clearInterval(memoryTimer);
  signal.addEventListener('abort', onCancel);
  browser.gone.addEventListener('abort', onGone);
  page.crashed.addEventListener('abort', onCrash);
  if (signal.aborted) onCancel();
  if (browser.gone.aborted) onGone();

  return {
    ended: ended.signal,
    fault,
    documentLoaded: () => clearTimeout(loadTimer),
    [Symbol.dispose]() {
      disposed = true;
      clearTimeout(renderTimer);
      clearTimeout(loadTimer);
      clearInterval(memoryTimer);
      signal.removeEventListener('abort', onCancel);
      browser.gone.removeEventListener('abort', onGone);
      page.crashed.removeEventListener('abort', onCrash);
    },
  };
}

/** The browser's fault, as the customer reads it. */
export const crashed = (cause: unknown): RenderError =>
  new RenderError(
    'render_crashed',
    'The rendering browser crashed. If that happens again, the document asks too much of it: make it simpler.',
    { cause },
  );

const tooMuchMemory = (limitBytes: number): RenderError =>
  new RenderError(
    'render_crashed',
    `The document needs more than the ${Math.round(limitBytes / MiB)} MiB of memory that a render may use: print fewer or smaller images and less data.`,
  );

const loadTimedOut = (limitMs: number, missing: string): RenderError =>
  new RenderError(
    'navigation_timeout',
    `The document did not load within ${limitMs} ms: ${missing}.`,
  );

const renderTimedOut = (limitMs: number, missing: string): RenderError =>
  new RenderError(
    'render_timeout_exceeded',
    `The document was not printed within ${limitMs} ms: ${missing}.`,
  );
