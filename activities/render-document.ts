import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { errors, type JobErrorCode, ServiceError } from '../contracts/errors.ts';
import { maxLoadMs } from '../contracts/limits.ts';
import { maxLogEntriesPerAttempt, type RenderEvent } from '../contracts/logs.ts';
import { resolvePrintSettings } from '../contracts/processes/print-settings.ts';
import type { RenderDocumentResult } from '../contracts/processes/workflows.ts';
import packageJson from '../package.json' with { type: 'json' };
import { type PrintResult, RenderError } from '../renderer/renderer.ts';
import { blobKeys } from '../store/blobs/blob-keys.ts';
import { type ClaimedJob, claimRenderJob } from '../store/jobs/claim-render-job.ts';
import { succeedRenderJob } from '../store/jobs/end-render-job.ts';
import { type AttemptOutcome, recordAttempt } from '../store/jobs/render-attempts.ts';
import { getJobSnapshot } from '../store/jobs/render-jobs.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { codedFailure, toInfrastructureFailure } from './failures.ts';
import { outputFileName } from './output-file-name.ts';

/** Well below the heartbeat timeout of 6 s, so that a late heartbeat does not make a worker count as lost. */
const heartbeatIntervalMs = 1_000;
/** A longer error message of a document is cut. */
const maxMessageLength = 2_000;

/**
 * Renders a job: claims it, prints its document to the blob storage, and settles the success in one transaction, which changes
 * nothing if the job has ended or a later attempt has claimed it. A failed attempt is recorded, but the job does not fail here: an
 * error of the document is thrown with its code, an outage as an infrastructure failure, and the workflow decides whether to retry.
 * If the plan refuses the claim, nothing is recorded, and the result is `refused`.
 */
export const createRenderDocument =
  (dependencies: ActivityDependencies) =>
  async ({ jobId }: { jobId: string }): Promise<RenderDocumentResult> => {
    const { store, plans, log } = dependencies;
    const scheduledAt = activityInfo().currentAttemptScheduledTimestampMs;
    const heartbeats = setInterval(heartbeat, heartbeatIntervalMs);
    try {
      const job = await claimRenderJob(store.sql, plans, { jobId, scheduledAt, now: Date.now() });
      if (!job) return { outcome: 'not_claimed', ...(await getJobSnapshot(store.sql, jobId)) };
      return await printClaimed(dependencies, job);
    } catch (error) {
      if (cancellationSignal().aborted) throw new CancelledFailure('The render was canceled.');
      if (isPlanRefusal(error)) return { outcome: 'refused', code: error.code };
      if (error instanceof Error && error.name === 'ApplicationFailure') throw error;
      log.warn({ err: error, jobId }, 'a render was interrupted; the workflow tries it again');
      throw toInfrastructureFailure(error);
    } finally {
      clearInterval(heartbeats);
    }
  };

/** True when a limit of the plan refuses the claim or the printed PDF (REST 8). */
const isPlanRefusal = (error: unknown): error is ServiceError & { readonly code: JobErrorCode } =>
  error instanceof ServiceError && errors[error.code].endsJobs;

async function printClaimed(
  dependencies: ActivityDependencies,
  job: ClaimedJob,
): Promise<RenderDocumentResult> {
  const events = createEventLog();
  for (const warning of job.warnings)
    events.add({ ...warning, createdAt: Date.now(), level: 'warn', stage: 'claim' });
  const startedAt = Date.now();
  try {
    const printed = await print(dependencies, job, events);
    return await settleSuccess(dependencies, job, printed, { events, startedAt });
  } catch (error) {
    const renderError = toRenderError(job, error);
    await recordFailure(dependencies, job, events, renderError);
    if (renderError) throw codedFailure(renderError.code, claimOf(job));
    throw error;
  }
}

/** The error that the document caused, undefined for an outage on our side. An exceeded time limit gets the code of what set the limit. */
function toRenderError(job: ClaimedJob, error: unknown): RenderError | undefined {
  if (!(error instanceof RenderError)) return undefined;
  if (error.code !== 'render_timeout_exceeded' || error.code === job.timeoutCode) return error;
  const { timings } = error;
  return new RenderError(job.timeoutCode, errors[job.timeoutCode].message, { timings });
}

async function settleSuccess(
  dependencies: ActivityDependencies,
  job: ClaimedJob,
  printed: PrintResult<string>,
  { events, startedAt }: { events: EventLog; startedAt: number },
): Promise<RenderDocumentResult> {
  const { store, plans, transientOutputTtlMs, wakeRelay } = dependencies;
  const finishedAt = Date.now();
  const { stored: blobKey, bytes, pageCount, sha256, timings } = printed;
  const result = { outcome: 'succeeded' as const, timings, events: events.entries(), finishedAt };
  const fileName = outputFileName(job.fileStem);
  const receipt = createReceipt(dependencies, job, { sha256, startedAt, finishedAt });
  const pdf = { blobKey, fileName, bytes, pageCount, sha256, receipt };
  try {
    const settled = await succeedRenderJob(
      store.sql,
      plans,
      job,
      pdf,
      result,
      transientOutputTtlMs,
    );
    if (!settled)
      return { outcome: 'not_claimed', ...(await getJobSnapshot(store.sql, job.jobId)) };
  } catch (error) {
    // The PDF was printed, so the attempt is charged, but the plan has no room for the PDF.
    if (isPlanRefusal(error)) throw new RenderError(error.code, error.message, { timings });
    throw error;
  }
  wakeRelay();
  return { outcome: 'succeeded', ...claimOf(job), bytes, pageCount, sha256 };
}

/** Identifies the claim that a result belongs to. */
const claimOf = ({ attempt, workflowAttempt }: ClaimedJob) => ({ attempt, workflowAttempt });

async function print(
  { store, renderer, documents }: ActivityDependencies,
  job: ClaimedJob,
  events: EventLog,
): Promise<PrintResult<string>> {
  await using document =
    job.document.type === 'url'
      ? { ...job.document, async [Symbol.asyncDispose]() {} }
      : await documents.open(job);
  const blobKey = blobKeys.output(job.workspaceId, job.jobId, job.workflowAttempt);
  const request = {
    jobId: job.jobId,
    workspaceId: job.workspaceId,
    document,
    payload: job.payload,
    pdf: resolvePrintSettings(job.print, job.printGeneration),
    limits: {
      renderTimeoutMs: job.renderTimeoutMs,
      loadTimeoutMs: Math.min(maxLoadMs, job.renderTimeoutMs),
      maxOutputBytes: job.policy.maxRenderOutputBytes,
    },
    allowExternalNetwork: job.policy.allowExternalNetwork,
    signal: cancellationSignal(),
    onEvent: (event: RenderEvent) => events.add(event),
  };
  return renderer.print(request, async (pdf) => {
    await store.blobs.write(blobKey, pdf, 'application/pdf');
    return blobKey;
  });
}

/**
 * Records why an attempt failed, was canceled or was interrupted. An error of the recording is only logged, so that the caller
 * can throw the original one.
 */
async function recordFailure(
  { store, log }: ActivityDependencies,
  job: ClaimedJob,
  events: EventLog,
  error: RenderError | undefined,
): Promise<void> {
  const outcome: AttemptOutcome =
    error?.code ?? (cancellationSignal().aborted ? 'canceled' : 'interrupted');
  await recordAttempt(store.sql, job, {
    outcome,
    ...(error && { message: error.message.slice(0, maxMessageLength) }),
    timings: error?.timings ?? {},
    events: events.entries(),
    finishedAt: Date.now(),
  }).catch((cause: unknown) =>
    log.warn({ err: cause, jobId: job.jobId }, 'the end of an attempt could not be recorded'),
  );
}

/**
 * Lists what produced a PDF, so that this can be proved later. It contains no document and no payload, only hashes, versions, times
 * and the target URL.
 */
const createReceipt = (
  { renderer }: ActivityDependencies,
  job: ClaimedJob,
  { sha256, startedAt, finishedAt }: { sha256: string; startedAt: number; finishedAt: number },
) => ({
  treeHash: job.document.type === 'package' ? job.document.renderPackage.treeHash : undefined,
  targetUrl: job.document.type === 'url' ? job.document.targetUrl : undefined,
  renderer: packageJson.version,
  payloadHash: job.payloadHash,
  chromiumVersion: renderer.chromiumVersion,
  fontSetHash: renderer.fontSetHash,
  outputSha256: sha256,
  startedAt,
  finishedAt,
});

interface EventLog {
  add(event: RenderEvent): void;
  entries(): readonly RenderEvent[];
}

/** Keeps the first log entries of an attempt and counts the rest. */
function createEventLog(): EventLog {
  const kept: RenderEvent[] = [];
  let dropped = 0;
  return {
    add(event) {
      if (kept.length < maxLogEntriesPerAttempt - 1) kept.push(event);
      else dropped++;
    },
    entries() {
      if (dropped === 0) return kept;
      const message = `${dropped} more entries were left out.`;
      // The stage is not `page`, because the job's `warningCount` counts every warning of that stage, and this one is ours.
      return [
        ...kept,
        { createdAt: Date.now(), level: 'warn', stage: 'settle', message, code: 'log_truncated' },
      ];
    },
  };
}
