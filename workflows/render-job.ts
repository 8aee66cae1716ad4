import { defineSearchAttributeKey } from '@temporalio/common';
import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { ControlActivities, RenderActivities } from '../activities/activities.ts';
import { errors, type JobErrorCode } from '../contracts/errors.ts';
import {
  type AttemptFence,
  admittedSignal,
  infrastructureFailure,
  type JobSnapshot,
  type PostponeRenderJobInput,
  type RenderDocumentResult,
  type RenderJobInput,
  renderHeartbeatTimeoutMs,
  renderJobQuery,
  renderOverheadMs,
  searchAttributes,
  taskQueues,
} from '../contracts/processes/workflows.ts';
import type { JobProgress } from '../contracts/rest/schemas/job-progress.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../contracts/units.ts';

const progressQuery = defineQuery<JobProgress>(renderJobQuery);
const admitted = defineSignal(admittedSignal);

const jobStatusKey = defineSearchAttributeKey(searchAttributes.jobStatus, 'KEYWORD');
const errorCodeKey = defineSearchAttributeKey(searchAttributes.errorCode, 'KEYWORD');
const attemptKey = defineSearchAttributeKey(searchAttributes.attempt, 'INT');

/** Each delay is spread by a fifth either way, so that jobs that failed together do not come back together. */
const retryJitter = 0.2;

/** An outage is over within a day; what lasts longer does not pass by waiting. */
const patienceMs = dayMs;
/**
 * Trouble is tried again after a tenth of the time that it has lasted, so that its end is seen soon: about 350 times in a day, which
 * is a fifth of what a history may hold.
 */
const shareOfTrouble = 0.1;
const shortestWaitMs = secondMs;
const longestWaitMs = 5 * minuteMs;
/** Names the change by which trouble of ours shows as a retry; jobs that were at it before wait as they did. */
const troubleShows = 'trouble-shows-as-a-retry';
/** How long they did. */
const formerPatienceMs = hourMs;
/** What the outbox needs at most to bring a request to cancel; where none comes, the workflow closes as completed. */
const cancelRequestMs = minuteMs;
/** A document on which so many workers were lost is what loses them. */
const maxLostWorkers = 5;

const { settleRenderJob, requeueRenderJob, postponeRenderJob, abandonRenderJob } =
  proxyActivities<ControlActivities>({
    taskQueue: taskQueues.control,
    // SQL that waits for a lock takes seconds at most.
    startToCloseTimeout: '30s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
  });

/** How the workflow ends well; a failed or canceled job closes it as such, so that its status is the row's. */
export type RenderJobResult = Pick<JobSnapshot, 'status' | 'attempt'>;

/**
 * The life of one render job after it was accepted (REST 3): wait for a place under the workspace's ceiling, render, and
 * settle, with retries. The row in PostgreSQL is the truth; every step here ends in one compare-and-swap there.
 */
export async function renderJob(input: RenderJobInput): Promise<RenderJobResult> {
  const progress = reportProgress(input);
  try {
    await progress.untilAdmitted();
    const standing = await renderUntilSettled(input, progress);
    if (standing.status === 'canceled') await untilCanceled();
    return close(standing);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const standing = await CancellationScope.nonCancellable(() => settle(input, { kind: 'stop' }));
    if (standing.status !== 'canceled') return close(standing);
    publish(standing);
    throw error;
  }
}

async function renderUntilSettled(input: RenderJobInput, progress: Progress): Promise<JobSnapshot> {
  let lostWorkers = 0;
  /** Since when the job cannot be had. The time that it waited for a browser before is not part of it. */
  let since: number | undefined;
  for (;;) {
    progress.waitFor('browser');
    const result = await render(input);
    since = isHeldUp(result) ? (since ?? Date.now()) : undefined;
    switch (result.kind) {
      case 'settled':
        return result.standing;
      case 'failed': {
        const standing = await settleFailure(input, result.code, result.fence);
        if (standing.status !== 'retry_scheduled') return standing;
        await untilRequeued(input, standing, progress);
        break;
      }
      case 'refused':
        return giveUp(input, result.code);
      case 'retry_scheduled':
        await untilRequeued(input, result.standing, progress);
        break;
      case 'worker_lost':
        // Another takes it at once. An activity before that might wait for a frozen worker, which still holds polls.
        if (++lostWorkers >= maxLostWorkers) return giveUp(input, 'render_crashed');
        break;
      case 'infrastructure': {
        const ended = await waitOut(input, since ?? Date.now(), progress);
        if (ended) return ended;
        break;
      }
      case 'not_claimed':
        await sleep(waitAfter(since ?? Date.now()), { summary: 'Until it can be claimed' });
    }
  }
}

const isHeldUp = ({ kind }: RenderResult): boolean =>
  kind === 'infrastructure' || kind === 'not_claimed';

/** How long to wait for trouble that has lasted since then; spread, so that jobs that it met together do not come back together. */
const waitAfter = (since: number): number => {
  const share = shareOfTrouble * (Date.now() - since);
  return jitter(Math.min(Math.max(share, shortestWaitMs), longestWaitMs));
};

/**
 * Waits for trouble of ours to pass: the job shows as one that waits for a retry, and can be canceled.
 *
 * @returns how the job has ended; undefined when it is to be rendered again
 */
async function waitOut(
  input: RenderJobInput,
  since: number,
  progress: Progress,
): Promise<JobSnapshot | undefined> {
  const lastedMs = Date.now() - since;
  if (!patched(troubleShows)) {
    if (lastedMs > formerPatienceMs) return giveUp(input, 'render_crashed');
    await sleep(waitAfter(since));
    return undefined;
  }
  if (lastedMs > patienceMs) {
    const { jobId, workspaceId } = input;
    return abandonRenderJob.executeWithOptions({ summary: 'The trouble did not pass in a day' }, [
      { jobId, workspaceId },
    ]);
  }
  return postpone(input, { delayMs: waitAfter(since), begins: lastedMs === 0 }, progress);
}

/** `→ retry_scheduled → queued`, uncharged. @returns how the job has ended meanwhile, undefined when it has not */
async function postpone(
  input: RenderJobInput,
  trouble: Omit<PostponeRenderJobInput, 'jobId'>,
  progress: Progress,
): Promise<JobSnapshot | undefined> {
  const { jobId } = input;
  const standing = await postponeRenderJob.executeWithOptions(
    { summary: 'PostgreSQL, blob storage or the worker failed: tried again' },
    [{ jobId, ...trouble }],
  );
  if (standing.status !== 'retry_scheduled') return standing;
  if (trouble.begins) publish(standing);
  await untilRequeued(input, standing, progress);
  return undefined;
}

type RenderResult =
  | { readonly kind: 'settled' | 'retry_scheduled'; readonly standing: JobSnapshot }
  | { readonly kind: 'failed'; readonly code: JobErrorCode; readonly fence: AttemptFence }
  | { readonly kind: 'refused'; readonly code: JobErrorCode }
  /** `not_claimed`: other jobs hold the render time of the month, or another activity has the job. */
  | { readonly kind: 'worker_lost' | 'infrastructure' | 'not_claimed' };

/** Renders once. The activity claims the job and, when it succeeds, has settled it in the same transaction. */
async function render(input: RenderJobInput): Promise<RenderResult> {
  const { jobId, workspaceId, renderTimeoutMs } = input;
  const { renderDocument } = proxyActivities<RenderActivities>({
    taskQueue: taskQueues.render,
    startToCloseTimeout: renderTimeoutMs + renderOverheadMs,
    heartbeatTimeout: renderHeartbeatTimeoutMs,
    // The loop above decides what is tried again: it shows to clients and can be canceled.
    retry: { maximumAttempts: 1 },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    priority: { fairnessKey: workspaceId },
    summary: 'Claim, print, store, settle',
  });
  try {
    return fromResult(await renderDocument({ jobId }));
  } catch (error) {
    return fromFailure(error);
  }
}

function fromResult(result: RenderDocumentResult): RenderResult {
  if (result.outcome === 'succeeded')
    return {
      kind: 'settled',
      standing: { status: 'succeeded', attempt: result.attempt, retryAt: null, errorCode: null },
    };
  if (result.outcome === 'refused') return { kind: 'refused', code: result.code };
  const { outcome: _, ...standing } = result;
  if (standing.status === 'retry_scheduled') return { kind: 'retry_scheduled', standing };
  if (standing.status === 'queued' || standing.status === 'rendering')
    return { kind: 'not_claimed' };
  return { kind: 'settled', standing };
}

function fromFailure(error: unknown): RenderResult {
  if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return { kind: 'worker_lost' };
  const [fence] = (cause.details ?? []) as AttemptFence[];
  if (cause.type === infrastructureFailure || !fence) return { kind: 'infrastructure' };
  return { kind: 'failed', code: cause.type as JobErrorCode, fence };
}

/** `rendering → retry_scheduled` where the code may pass and has retries left, else `→ failed`. */
async function settleFailure(
  input: RenderJobInput,
  code: JobErrorCode,
  fence: AttemptFence,
): Promise<JobSnapshot> {
  const { attempt, workflowAttempt } = fence;
  if (attempt >= errors[code].retries)
    return settle(input, { kind: 'fail', code, workflowAttempt });
  const delayMs = jitter(input.retryDelaysMs[attempt] ?? input.retryDelaysMs.at(-1) ?? 0);
  const standing = await settle(input, { kind: 'retry', code, workflowAttempt, delayMs });
  publish(standing, code);
  return standing;
}

const jitter = (ms: number): number => Math.round(ms * (1 + retryJitter * (2 * Math.random() - 1)));

/** Waits until the retry is due, then `retry_scheduled → queued`. */
async function untilRequeued(
  input: RenderJobInput,
  { retryAt }: JobSnapshot,
  progress: Progress,
): Promise<void> {
  progress.waitFor('retry', retryAt);
  await sleep(Math.max(0, (retryAt ?? 0) - Date.now()), { summary: 'Until the retry' });
  await requeueRenderJob({ jobId: input.jobId });
}

/** Ends a job that cannot be rendered here, whichever attempt holds it. */
const giveUp = (input: RenderJobInput, code: JobErrorCode): Promise<JobSnapshot> =>
  settle(input, { kind: 'give_up', code });

const settle = (
  { jobId, workspaceId }: RenderJobInput,
  decision: Parameters<typeof settleRenderJob>[0]['decision'],
): Promise<JobSnapshot> =>
  settleRenderJob.executeWithOptions({ summary: decisionSummary(decision) }, [
    { jobId, workspaceId, decision },
  ]);

const decisionSummary = (decision: Parameters<typeof settleRenderJob>[0]['decision']): string =>
  'code' in decision ? `${decision.kind}: ${decision.code}` : decision.kind;

/** The row says canceled, so the request to cancel this workflow is on its way: only with it the workflow closes as canceled. */
const untilCanceled = (): Promise<void> =>
  sleep(cancelRequestMs, { summary: 'Until the request to cancel arrives' });

/** Closes the workflow as the job ended. */
function close(standing: JobSnapshot): RenderJobResult {
  publish(standing);
  const { status, attempt, errorCode } = standing;
  if (errorCode) throw ApplicationFailure.nonRetryable(errors[errorCode].message, errorCode);
  return { status, attempt };
}

/** Makes a change visible to operators who filter; each upsert costs the server 1 to 3 ms, so only where a job turns. */
function publish({ status, attempt, errorCode }: JobSnapshot, retriedCode?: JobErrorCode): void {
  const code = errorCode ?? retriedCode;
  upsertSearchAttributes([
    { key: jobStatusKey, value: status },
    { key: attemptKey, value: attempt },
    ...(code ? [{ key: errorCodeKey, value: code }] : []),
  ]);
  setCurrentDetails(`**${status}**${code ? `, \`${code}\`` : ''}, attempt ${attempt}`);
}

interface Progress {
  untilAdmitted(): Promise<unknown>;
  waitFor(what: 'browser' | 'retry', retryAt?: number | null): void;
}

/** Answers the query behind polling, and takes the signal that ends the wait for admission. */
function reportProgress(input: RenderJobInput): Progress {
  let isAdmitted = input.admitted;
  let current: JobProgress = { waitingFor: 'admission', since: Date.now() };
  setHandler(progressQuery, () => current);
  setHandler(admitted, () => {
    isAdmitted = true;
  });
  const show = (next: JobProgress): void => {
    current = next;
    setCurrentDetails(`Waiting for ${next.waitingFor} since ${new Date(next.since).toISOString()}`);
  };
  show(current);
  return {
    untilAdmitted: () => condition(() => isAdmitted),
    waitFor: (waitingFor, retryAt) =>
      show({ waitingFor, since: Date.now(), ...(retryAt && { retryAt }) }),
  };
}
