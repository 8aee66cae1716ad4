import { setTimeout as sleep } from 'node:timers/promises';
import type { PrintSettings } from '../../contracts/processes/print-settings.ts';
import { CdpError, type CdpSession, type RemoteObject } from '../cdp/cdp-connection.ts';
import { RenderError } from '../render-error.ts';
import { createIsolatedWorld, evaluate } from './evaluate.ts';
import { describeException } from './message-parts.ts';
import type { Page } from './open-page.ts';
import type { PageActivity, PendingRequest } from './page-activity.ts';
import { type BrokenMedia, waitForMedia } from './page-scripts.ts';

/** The options of a version for the rule of docs/ready.md. */
export type ReadyRule = Pick<
  PrintSettings,
  'waitFor' | 'quietMs' | 'maxWaitMs' | 'graceMs' | 'awaitAnimations'
>;

/** Like `waitUntil` of the page's activity, but it rejects when the page navigates to another document. */
export type WaitUntil = PageActivity['waitUntil'];

/** The input of `waitUntilReady`. The settings of the version are in `rule`. */
export interface ReadinessInput {
  readonly page: Page;
  readonly activity: PageActivity;
  readonly waitUntil: WaitUntil;
  readonly rule: ReadyRule;
  /** Origin of the document: error messages name its scripts without the origin. */
  readonly origin: string;
  /**
   * Called when the load is no longer waited for: `load` has fired, `renderReady` decides, or `maxWaitMs` is over. May be
   * called more than once.
   */
  onLoaded(): void;
  /** Called with each condition before it is waited for. */
  onWait(condition: WaitCondition): void;
}

/** The conditions that a print waits for, as in docs/ready.md. */
export type WaitCondition = 'html' | 'load' | 'renderReady' | 'idle' | 'requests';

/** A document that is ready to be printed. */
export interface Readiness {
  /** Execution context of the isolated world for the scripts of the renderer. */
  readonly contextId: number;
  readonly broken: BrokenMedia;
  /** Requests that were not waited for any longer. */
  readonly unfinished: readonly PendingRequest[];
  /** False if `maxWaitMs` passed before the document had loaded and become idle. Always true if `renderReady` decided. */
  readonly idle: boolean;
}

/** Message of Chromium when the document of a script no longer exists. */
const contextLost = /context was destroyed|Cannot find context|navigated or closed/;
/** Message of Chromium when a promise was garbage-collected, because no script could settle it. */
const promiseLost = /Promise was collected/;
/** How often `renderReady` is looked for while the document may still define it. */
const pollIntervalMs = 250;
/**
 * Shortest gap between two samples of the script time. A sample costs 1 ms. The gap is half of the quiet time so far. That gives
 * eight samples in 450 ms, and the end of the last script is known to within a third of that time.
 */
const shortestGapMs = 16;
/** An idle worker answers within this time, also on a busy machine. */
const workerAnswerMs = 50;

/** The page has navigated to another document. */
class NavigatedAway extends Error {
  override readonly name = 'NavigatedAway';
}

/** Runs `attempt`, and runs it again for the next document each time the page navigates meanwhile. */
export async function restartOnNavigation<T>(
  activity: PageActivity,
  attempt: (waitUntil: WaitUntil) => Promise<T>,
): Promise<T> {
  for (;;) {
    await activity.waitUntil(() => activity.document !== undefined);
    const { navigations } = activity;
    const hasNavigated = (): boolean => activity.navigations > navigations;
    const waitUntil: WaitUntil = async (condition, deadline) => {
      const isMet = await activity.waitUntil(() => hasNavigated() || condition(), deadline);
      if (hasNavigated()) throw new NavigatedAway('The page navigated to another document.');
      return isMet;
    };
    try {
      const result = await attempt(waitUntil);
      if (!hasNavigated()) return result;
    } catch (error) {
      const isContextLost = error instanceof CdpError && contextLost.test(error.message);
      if (!isContextLost && !(error instanceof NavigatedAway)) throw error;
      await activity.waitUntil(hasNavigated);
    }
  }
}

/**
 * Resolves when the document is ready to be printed, by the rule of docs/ready.md. It has no time limit of its own: the watchdog
 * ends it.
 *
 * @throws RenderError `render_failed` when the document rejects `window.renderReady`
 */
export async function waitUntilReady(input: ReadinessInput): Promise<Readiness> {
  const { activity, waitUntil, rule, onWait, onLoaded } = input;
  onWait('html');
  const isParsed = (): boolean => activity.document?.isParsed ?? false;
  const isLoaded = (): boolean => activity.document?.isLoaded ?? false;
  let renderReady = await pollRenderReady(input, isParsed);
  // A promise may be awaited while the HTML is still being read. A function needs all of the HTML.
  if (renderReady?.type !== 'object') await waitUntil(isParsed);

  const parsedAt = performance.now();
  const deadline = parsedAt + rule.maxWaitMs;
  if (!renderReady && rule.waitFor === 'renderReady') {
    onWait('renderReady');
    onLoaded();
    renderReady = await pollRenderReady(input, () => false);
  }
  if (!renderReady) {
    onWait('load');
    renderReady = await pollRenderReady(input, isLoaded, deadline);
  }
  if (!renderReady && rule.waitFor === 'load') {
    onLoaded();
    return waitForRest(input, deadline, { requests: false });
  }
  if (!renderReady) {
    onLoaded();
    onWait('idle');
    const outcome = await waitForIdle(input, deadline);
    if (outcome.renderReady === undefined) return outcome.readiness;
    renderReady = outcome.renderReady;
  }

  onWait('renderReady');
  onLoaded();
  if (renderReady.type === 'function')
    // The function may measure the page, so it is called when the page is complete, or after graceMs.
    await waitUntil(() => isIdleAfterLoad(activity), parsedAt + rule.graceMs);
  await awaitRenderReady(input, renderReady);
  onWait('requests');
  return waitForRest(input, performance.now() + rule.graceMs, { requests: true });
}

const isIdleAfterLoad = ({ document, pendingCount }: PageActivity): boolean =>
  (document?.isLoaded ?? false) && pendingCount === 0;

/**
 * Looks for `window.renderReady` until it is defined, if the rule of the version uses it. Resolves with undefined if it is not
 * defined when the condition holds, or at the deadline.
 */
async function pollRenderReady(
  { page, waitUntil, rule: { waitFor } }: ReadinessInput,
  condition: () => boolean,
  deadline = Number.POSITIVE_INFINITY,
): Promise<RemoteObject | undefined> {
  const isUsed = waitFor === undefined || waitFor === 'renderReady';
  for (;;) {
    const isLast = condition() || performance.now() >= deadline;
    const found = isUsed ? await readRenderReady(page.cdp) : undefined;
    if (found || isLast) return found;
    const nextPoll = isUsed ? performance.now() + pollIntervalMs : deadline;
    await waitUntil(condition, Math.min(nextPoll, deadline));
  }
}

/** Reads `window.renderReady` from the global object, so that no variable of the document can hide it. */
async function readRenderReady(page: CdpSession): Promise<RemoteObject | undefined> {
  const { result, exceptionDetails } = await page.send('Runtime.evaluate', {
    expression: 'this.renderReady',
  });
  return exceptionDetails || result.type === 'undefined' ? undefined : result;
}

/**
 * Calls `renderReady` if it is a function, and waits for its promise. A thenable of any library counts as a promise. Any
 * other value, such as a number, is ready at once.
 *
 * @throws RenderError `render_failed` when it throws or rejects
 */
async function awaitRenderReady(
  { page, waitUntil, origin }: ReadinessInput,
  { type, objectId }: RemoteObject,
): Promise<void> {
  if (!objectId) return;
  const call = page.cdp.send('Runtime.callFunctionOn', {
    objectId,
    functionDeclaration:
      type === 'function' ? 'function () { return this() }' : 'function () { return this }',
    awaitPromise: true,
    generatePreview: true,
  });
  const { exceptionDetails } = await call.catch(async (error: unknown) => {
    if (!(error instanceof CdpError) || !promiseLost.test(error.message)) throw error;
    // Nothing can settle the promise any more. The job waits until the watchdog ends it.
    await waitUntil(() => false);
    throw error;
  });
  if (!exceptionDetails) return;
  const reason = describeException(exceptionDetails, origin);
  throw new RenderError('render_failed', `The document rejected window.renderReady: ${reason}`);
}

type IdleOutcome =
  | { readonly renderReady: RemoteObject }
  | { readonly renderReady?: undefined; readonly readiness: Readiness };

/**
 * Waits until the document has had no open request and run no script for `quietMs`, or until the deadline. Chromium reports the
 * time that scripts have run, so timers, frame callbacks and messages need not be observed one by one. A document in which no
 * script ever ran is idle as soon as it has loaded. `window.renderReady` ends the wait if it is defined meanwhile.
 */
async function waitForIdle(input: ReadinessInput, deadline: number): Promise<IdleOutcome> {
  const { page, activity, waitUntil, rule } = input;
  const contextId = await createIsolatedWorld(page.cdp, activity);
  const isIdle = (): boolean => isIdleAfterLoad(activity);
  let lastState = '';
  let quietSince = 0;
  let broken = noBrokenMedia;
  const outcome = (idle: boolean): IdleOutcome => ({
    readiness: { contextId, broken, unfinished: idle ? [] : activity.pending, idle },
  });
  for (;;) {
    const renderReady = isIdle() ? undefined : await pollRenderReady(input, isIdle, deadline);
    if (renderReady) return { renderReady };
    if (performance.now() >= deadline) return outcome(false);
    if (!isIdle()) continue;
    const { eventCount } = activity;
    const scriptSeconds = await readScriptSeconds(page.cdp);
    const state = `${eventCount} ${scriptSeconds}`;
    if (state !== lastState) {
      lastState = state;
      quietSince = performance.now();
      const definedNow = await pollRenderReady(input, () => true);
      if (definedNow) return { renderReady: definedNow };
      const { awaitAnimations: animations } = rule;
      const waiting = evaluate(page.cdp, contextId, waitForMedia, { animations });
      const media = await withDeadline(deadline, waiting);
      if (!media) return outcome(false);
      broken = media;
      const hasScripts = scriptSeconds > 0 || activity.workers.size > 0;
      if (activity.eventCount === eventCount && (!hasScripts || rule.quietMs === 0))
        return outcome(true);
    } else if (performance.now() - quietSince >= rule.quietMs) {
      if (await areWorkersIdle(activity, deadline)) return outcome(true);
      lastState = '';
    }
    const quietMs = performance.now() - quietSince;
    const gapMs = Math.max(shortestGapMs, Math.min(quietMs / 2, rule.quietMs - quietMs));
    await waitUntil(() => activity.eventCount !== eventCount, performance.now() + gapMs);
  }
}

/** Waits for fonts and images, and either for requests or for `load`, but not longer than the deadline. */
async function waitForRest(
  { page, activity, waitUntil }: ReadinessInput,
  deadline: number,
  { requests }: { requests: boolean },
): Promise<Readiness> {
  const contextId = await createIsolatedWorld(page.cdp, activity);
  // A video can delay `load`, but is not waited for. So after renderReady the HTML and the requests are enough.
  const isDone = (): boolean =>
    requests
      ? (activity.document?.isParsed ?? false) && activity.pendingCount === 0
      : (activity.document?.isLoaded ?? false);
  let broken = noBrokenMedia;
  let eventCount: number;
  do {
    ({ eventCount } = activity);
    const waiting = evaluate(page.cdp, contextId, waitForMedia, { animations: false });
    broken = (await withDeadline(deadline, waiting)) ?? broken;
    await waitUntil(isDone, deadline);
  } while (activity.eventCount !== eventCount && performance.now() < deadline);
  const isFinished = isDone();
  return {
    contextId,
    broken,
    unfinished: isFinished ? [] : activity.pending,
    idle: isFinished || requests,
  };
}

const noBrokenMedia: BrokenMedia = { images: [] };

/** Reads for how many seconds scripts of the page have run. Scripts of the renderer do not count. */
async function readScriptSeconds(page: CdpSession): Promise<number> {
  const { metrics } = await page.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0;
}

/** Resolves with true if each worker answers at once, and with false if one is busy computing. */
async function areWorkersIdle({ workers }: PageActivity, deadline: number): Promise<boolean> {
  const askedAt = performance.now();
  const answers = [...workers].map((worker) =>
    // A worker that has ended is idle.
    worker.send('Runtime.evaluate', { expression: '0' }).catch(() => undefined),
  );
  await withDeadline(deadline, Promise.all(answers));
  return performance.now() - askedAt < workerAnswerMs;
}

/** Resolves like the promise, or with undefined at the deadline. */
async function withDeadline<T>(deadline: number, promise: Promise<T>): Promise<T | undefined> {
  if (!Number.isFinite(deadline)) return await promise;
  const timerEnded = new AbortController();
  const waitMs = Math.max(0, deadline - performance.now());
  const timer = sleep(waitMs, undefined, { signal: timerEnded.signal }).catch(() => undefined);
  try {
    return await Promise.race([promise, timer]);
  } finally {
    timerEnded.abort();
    promise.catch(() => undefined);
  }
}
