import { setTimeout as sleep } from 'node:timers/promises';
import type { PrintSettings } from '../contracts/print-options.ts';
import { CdpError, type CdpSession, type RemoteObject } from './cdp-connection.ts';
import { describeException } from './describe-value.ts';
import { createWorld, evaluate } from './evaluate.ts';
import type { Page } from './open-page.ts';
import type { PageActivity, PendingRequest } from './page-activity.ts';
import { type BrokenMedia, settle } from './page-scripts.ts';
import { RenderError } from './render-error.ts';

/** The rule of docs/ready.md, as one version has it. */
export type ReadyRule = Pick<PrintSettings, 'waitFor' | 'quietMs' | 'maxWaitMs' | 'graceMs'>;

export interface ReadinessOptions {
  readonly page: Page;
  readonly activity: PageActivity;
  readonly rule: ReadyRule;
  /** Origin of the document: its scripts are named without it. */
  readonly origin: string;
  /** Called once, when the document has loaded or has said that it decides itself when it is ready. */
  onLoaded(): void;
  /** Called with the condition that is waited for, each time it changes. */
  onWait(condition: WaitCondition): void;
}

/** What is waited for, in the order of docs/ready.md. */
export type WaitCondition = 'html' | 'load' | 'renderReady' | 'idle' | 'requests';

/** A document that is ready to be printed. */
export interface Readiness {
  /** World of our scripts in it. */
  readonly contextId: number;
  readonly broken: BrokenMedia;
  /** Requests that were not waited for any longer. */
  readonly unfinished: readonly PendingRequest[];
  /** False: the longest wait passed while its scripts were still running. */
  readonly idle: boolean;
}

/** How Chromium says that the document of a script is no longer there. */
const contextLost = /context was destroyed|Cannot find context|navigated or closed/;
/** A document that is still being read, or that must define `renderReady`, is asked for it again after this. */
const lookAgainMs = 250;
/**
 * Asking how long scripts ran costs 1 ms, so the longer a document is quiet the less often it is asked: eight times in 450 ms, and
 * the end of its last script is known to a third of the time since.
 */
const shortestSampleMs = 16;
/** A worker that does nothing answers in less, also on a busy machine. */
const workerAnswerMs = 50;

/** Tries again with the next document where the page goes on to another one meanwhile. */
export async function withLastDocument<T>(
  activity: PageActivity,
  attempt: () => Promise<T>,
): Promise<T> {
  for (;;) {
    const { navigations } = activity;
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CdpError) || !contextLost.test(error.message)) throw error;
      await activity.until(() => activity.navigations > navigations);
    }
  }
}

/**
 * Resolves when the document is ready to be printed, by the rule of docs/ready.md. The watchdog bounds all of it.
 *
 * @throws RenderError `render_failed` when the document rejects `window.renderReady`
 */
export async function waitUntilReady(options: ReadinessOptions): Promise<Readiness> {
  const { page, activity, rule, onWait, onLoaded } = options;
  onWait('html');
  await activity.until(() => activity.document !== undefined);
  const isParsed = (): boolean => activity.document?.parsed ?? false;
  const asksDocument = rule.waitFor === undefined || rule.waitFor === 'renderReady';
  let renderReady: RemoteObject | undefined;
  if (asksDocument) renderReady = await lookFor(options, isParsed);
  else await activity.until(isParsed);

  const parsedAt = performance.now();
  const longest = parsedAt + rule.maxWaitMs;
  if (!renderReady && rule.waitFor === 'renderReady') {
    onWait('renderReady');
    onLoaded();
    renderReady = await lookFor(options, () => false);
  }
  if (!renderReady) {
    onWait('load');
    await activity.until(() => activity.document?.loaded ?? false, longest);
    onLoaded();
    if (rule.waitFor === 'load') return finish(options, longest, { requests: false });
    onWait('idle');
    const outcome = await untilIdle(options, longest, asksDocument);
    if (outcome.renderReady === undefined) return outcome.readiness;
    renderReady = outcome.renderReady;
  }

  onWait('renderReady');
  onLoaded();
  if (renderReady.type === 'function')
    // It may measure what it draws: the page is whole then, unless something of it takes too long.
    await activity.until(() => isIdleAfterLoad(activity), parsedAt + rule.graceMs);
  await untilSettled(page.cdp, renderReady, options.origin);
  onWait('requests');
  return finish(options, performance.now() + rule.graceMs, { requests: true });
}

const isIdleAfterLoad = ({ document, pending }: PageActivity): boolean =>
  (document?.loaded ?? false) && pending.length === 0;

/** `window.renderReady` as soon as it is there; undefined when it is not and the condition holds. */
async function lookFor(
  { page, activity }: ReadinessOptions,
  enough: () => boolean,
): Promise<RemoteObject | undefined> {
  for (;;) {
    const isLast = enough();
    const found = await readRenderReady(page.cdp);
    if (found || isLast) return found;
    await activity.until(enough, performance.now() + lookAgainMs);
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
async function untilSettled(
  page: CdpSession,
  renderReady: RemoteObject,
  origin: string,
): Promise<void> {
  const { type, objectId } = renderReady;
  if (!objectId) return;
  const { exceptionDetails } = await page.send('Runtime.callFunctionOn', {
    objectId,
    functionDeclaration:
      type === 'function' ? 'function () { return this() }' : 'function () { return this }',
    awaitPromise: true,
    generatePreview: true,
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
async function untilIdle(
  options: ReadinessOptions,
  longest: number,
  asksDocument: boolean,
): Promise<IdleOutcome> {
  const { page, activity, rule } = options;
  const contextId = await createWorld(page.cdp, activity);
  let seen = '';
  let quietSince = 0;
  let broken = nothingBroken;
  const readiness = (idle: boolean): IdleOutcome => ({
    readiness: { contextId, broken, unfinished: idle ? [] : activity.pending, idle },
  });
  while (await activity.until(() => activity.pending.length === 0, longest)) {
    if (performance.now() >= longest) break;
    const { changes } = activity;
    const scriptSeconds = await scriptDuration(page.cdp);
    const state = `${changes} ${scriptSeconds}`;
    if (state !== seen) {
      seen = state;
      quietSince = performance.now();
      const renderReady = asksDocument ? await readRenderReady(page.cdp) : undefined;
      if (renderReady) return { renderReady };
      const settled = await by(
        longest,
        evaluate(page.cdp, contextId, settle, { animations: true }),
      );
      if (!settled) break;
      broken = settled;
      const mayGoOn = scriptSeconds > 0 || activity.workers.size > 0;
      if (activity.changes === changes && (!mayGoOn || rule.quietMs === 0)) return readiness(true);
    } else if (performance.now() - quietSince >= rule.quietMs) {
      if (await workersAreIdle(activity, longest)) return readiness(true);
      seen = '';
    }
    const quietMs = performance.now() - quietSince;
    const sampleMs = Math.max(shortestSampleMs, Math.min(quietMs / 2, rule.quietMs - quietMs));
    await activity.until(() => activity.changes !== changes, performance.now() + sampleMs);
  }
  return readiness(false);
}

/** Waits for fonts and images, and for requests where they are asked for, until the deadline. */
async function finish(
  { page, activity }: ReadinessOptions,
  deadline: number,
  { requests }: { requests: boolean },
): Promise<Readiness> {
  const contextId = await createWorld(page.cdp, activity);
  // Media that never come hold `load` up, and are not waited for.
  const isDone = (): boolean =>
    requests
      ? (activity.document?.parsed ?? false) && activity.pending.length === 0
      : (activity.document?.loaded ?? false);
  let broken = nothingBroken;
  let changes: number;
  do {
    ({ changes } = activity);
    const settling = evaluate(page.cdp, contextId, settle, { animations: false });
    broken = (await by(deadline, settling)) ?? broken;
    await activity.until(isDone, deadline);
  } while (activity.changes !== changes && performance.now() < deadline);
  return { contextId, broken, unfinished: isDone() ? [] : activity.pending, idle: true };
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
  await by(longest, Promise.all(answers));
  return performance.now() - askedAt < workerAnswerMs;
}

/** What the promise resolves to; undefined when it has not by the deadline. */
async function by<T>(deadline: number, promise: Promise<T>): Promise<T | undefined> {
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
