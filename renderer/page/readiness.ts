import { setTimeout as sleep } from 'node:timers/promises';
import type { PrintSettings } from '../../contracts/processes/print-settings.ts';
import { CdpError, type CdpSession, type RemoteObject } from '../cdp/cdp-connection.ts';
import { RenderError } from '../render-error.ts';
import { describeException } from './describe-value.ts';
import { createWorld, evaluate } from './evaluate.ts';
import type { Page } from './open-page.ts';
import type { PageActivity, PendingRequest } from './page-activity.ts';
import { type BrokenMedia, settle } from './page-scripts.ts';

/** The rule of docs/ready.md, as one version has it. */
export type ReadyRule = Pick<
  PrintSettings,
  'waitFor' | 'quietMs' | 'maxWaitMs' | 'graceMs' | 'awaitAnimations'
>;

/** As `until` of the page's activity, for one document: it rejects when the page goes on to another. */
export type Until = PageActivity['until'];

export interface ReadinessOptions {
  readonly page: Page;
  readonly activity: PageActivity;
  readonly until: Until;
  readonly rule: ReadyRule;
  /** Origin of the document: its scripts are named without it. */
  readonly origin: string;
  /** Called once, when the document has loaded or has said that it decides itself when it is ready. */
  onLoaded(): void;
  /** Called with the condition that is waited for, each time it changes. */
  onWait(condition: WaitCondition): void;
}

/** Conditions that are waited for, in the order of docs/ready.md. */
export type WaitCondition = 'html' | 'load' | 'renderReady' | 'idle' | 'requests';

/** A document that is ready to be printed. */
export interface Readiness {
  /** World of our scripts in it. */
  readonly contextId: number;
  readonly broken: BrokenMedia;
  /** Requests that were not waited for any longer. */
  readonly unfinished: readonly PendingRequest[];
  /** False: the longest wait passed before `load`, or while its scripts or animations were still running. */
  readonly idle: boolean;
}

/** How Chromium says that the document of a script is no longer there. */
const contextLost = /context was destroyed|Cannot find context|navigated or closed/;
/** How it says that a promise was removed from memory, because no script could settle it. */
const promiseLost = /Promise was collected/;
/** A document that is still being read, or that must define `renderReady`, is asked for it again after this. */
const lookAgainMs = 250;
/**
 * Asking how long scripts ran costs 1 ms. The gap between samples is half the quiet time so far: eight samples in 450 ms, and the
 * end of the last script is known to within a third of that time.
 */
const shortestSampleMs = 16;
/** A worker that does nothing answers in less, also on a busy machine. */
const workerAnswerMs = 50;

/** The page has gone on to another document. */
class DocumentLeft extends Error {
  override readonly name = 'DocumentLeft';
}

/** Begins anew with the next document where the page goes on to another one meanwhile. */
export async function withLastDocument<T>(
  activity: PageActivity,
  attempt: (until: Until) => Promise<T>,
): Promise<T> {
  for (;;) {
    await activity.until(() => activity.document !== undefined);
    const { navigations } = activity;
    const isLeft = (): boolean => activity.navigations > navigations;
    const until: Until = async (condition, deadline) => {
      const isMet = await activity.until(() => isLeft() || condition(), deadline);
      if (isLeft()) throw new DocumentLeft('The page went on to another document.');
      return isMet;
    };
    try {
      const result = await attempt(until);
      if (!isLeft()) return result;
    } catch (error) {
      const isLost = error instanceof CdpError && contextLost.test(error.message);
      if (!isLost && !(error instanceof DocumentLeft)) throw error;
      await activity.until(isLeft);
    }
  }
}

/**
 * Resolves when the document is ready to be printed, by the rule of docs/ready.md. The watchdog bounds all of it.
 *
 * @throws RenderError `render_failed` when the document rejects `window.renderReady`
 */
export async function waitUntilReady(options: ReadinessOptions): Promise<Readiness> {
  const { activity, until, rule, onWait, onLoaded } = options;
  onWait('html');
  const isParsed = (): boolean => activity.document?.parsed ?? false;
  const isLoaded = (): boolean => activity.document?.loaded ?? false;
  let renderReady = await lookFor(options, isParsed);
  // A promise is believed while the HTML is still being read; a function works on all of it.
  if (renderReady?.type !== 'object') await until(isParsed);

  const parsedAt = performance.now();
  const longest = parsedAt + rule.maxWaitMs;
  if (!renderReady && rule.waitFor === 'renderReady') {
    onWait('renderReady');
    onLoaded();
    renderReady = await lookFor(options, () => false);
  }
  if (!renderReady) {
    onWait('load');
    renderReady = await lookFor(options, isLoaded, longest);
  }
  if (!renderReady && rule.waitFor === 'load') {
    onLoaded();
    return finish(options, longest, { requests: false });
  }
  if (!renderReady) {
    onLoaded();
    onWait('idle');
    const outcome = await untilIdle(options, longest);
    if (outcome.renderReady === undefined) return outcome.readiness;
    renderReady = outcome.renderReady;
  }

  onWait('renderReady');
  onLoaded();
  if (renderReady.type === 'function')
    // It may measure what it draws: the page is whole then, unless something of it takes too long.
    await until(() => isIdleAfterLoad(activity), parsedAt + rule.graceMs);
  await awaitRenderReady(options, renderReady);
  onWait('requests');
  return finish(options, performance.now() + rule.graceMs, { requests: true });
}

const isIdleAfterLoad = ({ document, pendingCount }: PageActivity): boolean =>
  (document?.loaded ?? false) && pendingCount === 0;

/**
 * `window.renderReady` as soon as it is there, where the version's rule asks for it; undefined when it is not and the condition
 * holds, or at the deadline.
 */
async function lookFor(
  { page, until, rule: { waitFor } }: ReadinessOptions,
  condition: () => boolean,
  deadline = Number.POSITIVE_INFINITY,
): Promise<RemoteObject | undefined> {
  const isAsked = waitFor === undefined || waitFor === 'renderReady';
  for (;;) {
    const isLast = condition() || performance.now() >= deadline;
    const found = isAsked ? await readRenderReady(page.cdp) : undefined;
    if (found || isLast) return found;
    const nextLook = isAsked ? performance.now() + lookAgainMs : deadline;
    await until(condition, Math.min(nextLook, deadline));
  }
}

/** Reads it where it lives, without a name that the document could have given another meaning. */
async function readRenderReady(page: CdpSession): Promise<RemoteObject | undefined> {
  const { result, exceptionDetails } = await page.send('Runtime.evaluate', {
    expression: 'this.renderReady',
  });
  return exceptionDetails || result.type === 'undefined' ? undefined : result;
}

/** Calls it if it is a function, and waits for what it promises; a thenable of any library counts as a promise. */
async function awaitRenderReady(
  { page, until, origin }: ReadinessOptions,
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
    // Nothing can settle it any more: the document waits for it until its time limit.
    await until(() => false);
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
 * Waits until no request was under way and no script ran for `quietMs`. The time that scripts have run is Chromium's own figure,
 * so a timer, a frame callback or a message shows without any of them being watched. A document in which no script ever ran
 * has nothing to wait for.
 */
async function untilIdle(options: ReadinessOptions, longest: number): Promise<IdleOutcome> {
  const { page, activity, until, rule } = options;
  const contextId = await createWorld(page.cdp, activity);
  const isAtRest = (): boolean => isIdleAfterLoad(activity);
  let seen = '';
  let quietSince = 0;
  let broken = nothingBroken;
  const readiness = (idle: boolean): IdleOutcome => ({
    readiness: { contextId, broken, unfinished: idle ? [] : activity.pending, idle },
  });
  for (;;) {
    const renderReady = isAtRest() ? undefined : await lookFor(options, isAtRest, longest);
    if (renderReady) return { renderReady };
    if (performance.now() >= longest) return readiness(false);
    if (!isAtRest()) continue;
    const { changes } = activity;
    const scriptSeconds = await scriptDuration(page.cdp);
    const state = `${changes} ${scriptSeconds}`;
    if (state !== seen) {
      seen = state;
      quietSince = performance.now();
      const late = await lookFor(options, () => true);
      if (late) return { renderReady: late };
      const settling = evaluate(page.cdp, contextId, settle, { animations: rule.awaitAnimations });
      const settled = await withDeadline(longest, settling);
      if (!settled) return readiness(false);
      broken = settled;
      const hasScripts = scriptSeconds > 0 || activity.workers.size > 0;
      if (activity.changes === changes && (!hasScripts || rule.quietMs === 0))
        return readiness(true);
    } else if (performance.now() - quietSince >= rule.quietMs) {
      if (await workersAreIdle(activity, longest)) return readiness(true);
      seen = '';
    }
    const quietMs = performance.now() - quietSince;
    const sampleMs = Math.max(shortestSampleMs, Math.min(quietMs / 2, rule.quietMs - quietMs));
    await until(() => activity.changes !== changes, performance.now() + sampleMs);
  }
}

/** Waits for fonts and images, and for requests where they are asked for, until the deadline. */
async function finish(
  { page, activity, until }: ReadinessOptions,
  deadline: number,
  { requests }: { requests: boolean },
): Promise<Readiness> {
  const contextId = await createWorld(page.cdp, activity);
  // `load` may be held up by a video, which is not waited for: after renderReady the HTML and the requests are enough.
  const isDone = (): boolean =>
    requests
      ? (activity.document?.parsed ?? false) && activity.pendingCount === 0
      : (activity.document?.loaded ?? false);
  let broken = nothingBroken;
  let changes: number;
  do {
    ({ changes } = activity);
    const settling = evaluate(page.cdp, contextId, settle, { animations: false });
    broken = (await withDeadline(deadline, settling)) ?? broken;
    await until(isDone, deadline);
  } while (activity.changes !== changes && performance.now() < deadline);
  const done = isDone();
  return { contextId, broken, unfinished: done ? [] : activity.pending, idle: done || requests };
}

const nothingBroken: BrokenMedia = { images: [] };

/** Seconds that scripts of the page have run; ours do not count. */
async function scriptDuration(page: CdpSession): Promise<number> {
  const { metrics } = await page.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0;
}

/** True when each worker answers at once: one that computes does not. */
async function workersAreIdle({ workers }: PageActivity, longest: number): Promise<boolean> {
  const askedAt = performance.now();
  const answers = [...workers].map((worker) =>
    // One that has ended does nothing any more.
    worker.send('Runtime.evaluate', { expression: '0' }).catch(() => undefined),
  );
  await withDeadline(longest, Promise.all(answers));
  return performance.now() - askedAt < workerAnswerMs;
}

/** Resolves as the promise does, and with undefined when it has not by the deadline. */
async function withDeadline<T>(deadline: number, promise: Promise<T>): Promise<T | undefined> {
  if (!Number.isFinite(deadline)) return await promise;
  const ended = new AbortController();
  const waitMs = Math.max(0, deadline - performance.now());
  const late = sleep(waitMs, undefined, { signal: ended.signal }).catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    ended.abort();
    promise.catch(() => undefined);
  }
}
