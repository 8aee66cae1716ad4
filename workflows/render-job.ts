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
  type SettleRenderJobInput,
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

/** Each delay varies by up to a fifth, so that jobs that failed together are not retried together. */
const retryJitter = 0.2;

/** An outage on our side usually ends within a day. One that lasts longer does not end by waiting. */
const maxOutageMs = dayMs;
/**
 * The wait before the next try is a tenth of the time that the outage has lasted, so that jobs notice its end soon. A day has
 * about 350 tries, which fill a fifth of what a history may hold.
 */
const outageWaitShare = 0.1;
const minOutageWaitMs = secondMs;
const maxOutageWaitMs = 5 * minuteMs;
/** The `patched` id of the change by which a job shows an outage as a retry. Workflows that met an outage before the change wait as before. */
const outageShowsAsRetry = 'trouble-shows-as-a-retry';
/** The value of `maxOutageMs` before that change. */
const formerMaxOutageMs = hourMs;
/** The outbox delivers a request to cancel within this time. If none arrives, the workflow closes as completed. */
const cancelRequestTimeoutMs = minuteMs;
/** After this many lost workers the job fails, because its document seems to crash them. */
const maxLostWorkers = 5;

const { settleRenderJob, requeueRenderJob, postponeRenderJob, abandonRenderJob } =
  proxyActivities<ControlActivities>({
    taskQueue: taskQueues.control,
    // SQL that waits for a lock takes seconds at most.
    startToCloseTimeout: '30s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
  });

/**
 * The result of a workflow whose job succeeded. If the job failed or was canceled, the workflow closes as failed or canceled, except
 * that it completes with the status `canceled` if no request to cancel arrives.
 */
export type RenderJobResult = Pick<JobSnapshot, 'status' | 'attempt'>;

/**
 * The life of a render job after it was accepted (REST 3): it waits for admission, renders, and settles, with retries. The row
 * in PostgreSQL is the truth. Each step here ends in one compare-and-swap on that row.
 */
export async function renderJob(input: RenderJobInput): Promise<RenderJobResult> {
  const progress = reportProgress(input);
  try {
    await progress.waitForAdmission();
    const ended = await renderUntilEnded(input, progress);
    if (ended.status === 'canceled') await waitForCancelRequest();
    return closeWorkflow(ended);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const ended = await CancellationScope.nonCancellable(() => settle(input, { kind: 'stop' }));
    if (ended.status !== 'canceled') return closeWorkflow(ended);
    showStatus(ended);
    throw error;
  }
}

/** Failures so far that the next decision depends on. */
interface Setbacks {
  /** How many workers were lost while they rendered the job. */
  lostWorkers: number;
  /** The time since which an outage, or a claim that is refused, keeps the job from being rendered. Earlier waiting does not count. */
  blockedSince: number | undefined;
}

/** Renders until the job has succeeded, failed, or was canceled. */
async function renderUntilEnded(input: RenderJobInput, progress: Progress): Promise<JobSnapshot> {
  const setbacks: Setbacks = { lostWorkers: 0, blockedSince: undefined };
  for (;;) {
    progress.waitFor('browser');
    const outcome = await render(input);
    setbacks.blockedSince = isBlocked(outcome) ? (setbacks.blockedSince ?? Date.now()) : undefined;
    if (outcome.kind === 'worker_lost') setbacks.lostWorkers++;
    const ended = await reactTo(outcome, input, setbacks, progress);
    if (ended) return ended;
  }
}

const isBlocked = ({ kind }: RenderOutcome): boolean => kind === 'outage' || kind === 'not_claimed';

/** @returns the job as it has ended, or undefined when it has to be rendered again */
async function reactTo(
  outcome: RenderOutcome,
  input: RenderJobInput,
  { lostWorkers, blockedSince = Date.now() }: Setbacks,
  progress: Progress,
): Promise<JobSnapshot | undefined> {
  switch (outcome.kind) {
    case 'ended':
      return outcome.snapshot;
    case 'failed':
      return retryOrFail(input, outcome, progress);
    case 'refused':
      return failJob(input, outcome.code);
    case 'retry_scheduled':
      await waitUntilRequeued(input, outcome.snapshot, progress);
      return undefined;
    case 'worker_lost':
      // The job is rendered again at once. A try before the heartbeat timeout could go to a frozen worker, whose polls are still open.
      return lostWorkers >= maxLostWorkers ? failJob(input, 'render_crashed') : undefined;
    case 'outage':
      return waitDuringOutage(input, blockedSince, progress);
    case 'not_claimed':
      await sleep(outageWaitMs(blockedSince), { summary: 'Until the job can be claimed' });
      return undefined;
  }
}

type RenderOutcome =
  | { readonly kind: 'ended' | 'retry_scheduled'; readonly snapshot: JobSnapshot }
  | FailedRender
  | { readonly kind: 'refused'; readonly code: JobErrorCode }
  /** `not_claimed`: other jobs have reserved the rest of the month's render time, or another activity has claimed the job. */
  | { readonly kind: 'worker_lost' | 'outage' | 'not_claimed' };

interface FailedRender {
  readonly kind: 'failed';
  readonly code: JobErrorCode;
  /** The claim that failed. */
  readonly claim: AttemptFence;
}

/** Renders once. The activity claims the job. If it succeeds, it has settled the job in the same transaction. */
async function render(input: RenderJobInput): Promise<RenderOutcome> {
  const { jobId, workspaceId, renderTimeoutMs } = input;
  const { renderDocument } = proxyActivities<RenderActivities>({
    taskQueue: taskQueues.render,
    startToCloseTimeout: renderTimeoutMs + renderOverheadMs,
    heartbeatTimeout: renderHeartbeatTimeoutMs,
    // This workflow retries, and not Temporal, so that clients see each retry and can cancel the job meanwhile.
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

function fromResult(result: RenderDocumentResult): RenderOutcome {
  if (result.outcome === 'succeeded')
    return {
      kind: 'ended',
      snapshot: { status: 'succeeded', attempt: result.attempt, retryAt: null, errorCode: null },
    };
  if (result.outcome === 'refused') return { kind: 'refused', code: result.code };
  const { outcome: _, ...snapshot } = result;
  if (snapshot.status === 'retry_scheduled') return { kind: 'retry_scheduled', snapshot };
  if (snapshot.status === 'queued' || snapshot.status === 'rendering')
    return { kind: 'not_claimed' };
  return { kind: 'ended', snapshot };
}

function fromFailure(error: unknown): RenderOutcome {
  if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return { kind: 'worker_lost' };
  const [claim] = (cause.details ?? []) as AttemptFence[];
  if (cause.type === infrastructureFailure || !claim) return { kind: 'outage' };
  return { kind: 'failed', code: cause.type as JobErrorCode, claim };
}

/** @returns the job if its failure is final; undefined after a charged retry, when it is queued again */
async function retryOrFail(
  input: RenderJobInput,
  failure: FailedRender,
  progress: Progress,
): Promise<JobSnapshot | undefined> {
  const snapshot = await settleFailure(input, failure);
  if (snapshot.status !== 'retry_scheduled') return snapshot;
  await waitUntilRequeued(input, snapshot, progress);
  return undefined;
}

/** `rendering → retry_scheduled` if the error code has retries left, else `→ failed`. */
async function settleFailure(
  input: RenderJobInput,
  { code, claim }: FailedRender,
): Promise<JobSnapshot> {
  const { attempt, workflowAttempt } = claim;
  if (attempt >= errors[code].retries)
    return settle(input, { kind: 'fail', code, workflowAttempt });
  const delayMs = jitter(input.retryDelaysMs[attempt] ?? input.retryDelaysMs.at(-1) ?? 0);
  const snapshot = await settle(input, { kind: 'retry', code, workflowAttempt, delayMs });
  showStatus(snapshot, code);
  return snapshot;
}

/** Waits until the retry is due, then `retry_scheduled → queued`. */
async function waitUntilRequeued(
  input: RenderJobInput,
  { retryAt }: JobSnapshot,
  progress: Progress,
): Promise<void> {
  progress.waitFor('retry', retryAt);
  await sleep(Math.max(0, (retryAt ?? 0) - Date.now()), { summary: 'Until the retry' });
  await requeueRenderJob({ jobId: input.jobId });
}

/**
 * Waits before the next try during an outage on our side. Meanwhile the job shows as waiting for a retry and can be canceled.
 *
 * @returns the job if it has ended, or undefined when it has to be rendered again
 */
async function waitDuringOutage(
  input: RenderJobInput,
  since: number,
  progress: Progress,
): Promise<JobSnapshot | undefined> {
  const lastedMs = Date.now() - since;
  if (!patched(outageShowsAsRetry)) {
    if (lastedMs > formerMaxOutageMs) return failJob(input, 'render_crashed');
    await sleep(outageWaitMs(since));
    return undefined;
  }
  if (lastedMs > maxOutageMs) {
    const { jobId, workspaceId } = input;
    return abandonRenderJob.executeWithOptions({ summary: 'The outage lasted a day' }, [
      { jobId, workspaceId },
    ]);
  }
  return postpone(input, { delayMs: outageWaitMs(since), begins: lastedMs === 0 }, progress);
}

/** Returns how long to wait in an outage that began at `since`. */
const outageWaitMs = (since: number): number => {
  const share = outageWaitShare * (Date.now() - since);
  return jitter(Math.min(Math.max(share, minOutageWaitMs), maxOutageWaitMs));
};

/**
 * `→ retry_scheduled → queued`, without a charge.
 *
 * @returns the job if it has ended meanwhile, or undefined
 */
async function postpone(
  input: RenderJobInput,
  outage: Omit<PostponeRenderJobInput, 'jobId'>,
  progress: Progress,
): Promise<JobSnapshot | undefined> {
  const { jobId } = input;
  const snapshot = await postponeRenderJob.executeWithOptions(
    { summary: 'PostgreSQL, blob storage or the worker failed: schedule a retry' },
    [{ jobId, ...outage }],
  );
  if (snapshot.status !== 'retry_scheduled') return snapshot;
  if (outage.begins) showStatus(snapshot);
  await waitUntilRequeued(input, snapshot, progress);
  return undefined;
}

const jitter = (ms: number): number => Math.round(ms * (1 + retryJitter * (2 * Math.random() - 1)));

/** Fails a job that cannot be rendered, even if another claim holds it. */
const failJob = (input: RenderJobInput, code: JobErrorCode): Promise<JobSnapshot> =>
  settle(input, { kind: 'give_up', code });

const settle = (
  { jobId, workspaceId }: RenderJobInput,
  decision: SettleRenderJobInput['decision'],
): Promise<JobSnapshot> =>
  settleRenderJob.executeWithOptions({ summary: summaryOf(decision) }, [
    { jobId, workspaceId, decision },
  ]);

const summaryOf = (decision: SettleRenderJobInput['decision']): string =>
  'code' in decision ? `${decision.kind}: ${decision.code}` : decision.kind;

/** The job was canceled, so a request to cancel this workflow will arrive. It ends this wait, and only then the workflow closes as canceled. */
const waitForCancelRequest = (): Promise<void> =>
  sleep(cancelRequestTimeoutMs, { summary: 'Until the request to cancel arrives' });

/** Closes the workflow with the end of its job: returns the result, or throws the job's error. */
function closeWorkflow(ended: JobSnapshot): RenderJobResult {
  showStatus(ended);
  const { status, attempt, errorCode } = ended;
  if (errorCode) throw ApplicationFailure.nonRetryable(errors[errorCode].message, errorCode);
  return { status, attempt };
}

/** Shows operators the job's status: as search attributes and as details. An upsert costs the server 1 to 3 ms, so few steps call this. */
function showStatus({ status, attempt, errorCode }: JobSnapshot, retriedCode?: JobErrorCode): void {
  const code = errorCode ?? retriedCode;
  upsertSearchAttributes([
    { key: jobStatusKey, value: status },
    { key: attemptKey, value: attempt },
    ...(code ? [{ key: errorCodeKey, value: code }] : []),
  ]);
  setCurrentDetails(`**${status}**${code ? `, \`${code}\`` : ''}, attempt ${attempt}`);
}

interface Progress {
  waitForAdmission(): Promise<unknown>;
  /** Shows what the job waits for from now on. */
  waitFor(what: 'browser' | 'retry', retryAt?: number | null): void;
}

/** Answers the query for a job's progress, and handles the signal that admits the job. */
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
    waitForAdmission: () => condition(() => isAdmitted),
    waitFor: (waitingFor, retryAt) =>
      show({ waitingFor, since: Date.now(), ...(retryAt && { retryAt }) }),
  };
}
