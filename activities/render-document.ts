import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import type { JobErrorCode } from '../contracts/errors.ts';
import { maxLoadMs } from '../contracts/limits.ts';
import { maxLogEntriesPerAttempt, type RenderEvent } from '../contracts/logs.ts';
import { printOptionsSchema } from '../contracts/print-options.ts';
import type { RenderDocumentResult } from '../contracts/workflows.ts';
import packageJson from '../package.json' with { type: 'json' };
import { type PrintResult, RenderError } from '../renderer/renderer.ts';
import { blobKeys } from '../store/blobs.ts';
import {
  type AttemptResult,
  type ClaimedJob,
  claimRenderJob,
  recordAttempt,
} from '../store/render-attempts.ts';
import { getJobStanding, succeedRenderJob } from '../store/render-job-transitions.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { codedFailure, toInfrastructureFailure } from './failures.ts';
import { outputFileName } from './output-file-name.ts';

/** Well below the heartbeat timeout of 6 s, so that one late beat is no lost worker. */
const heartbeatIntervalMs = 1_000;
/** What a document's error message may add to a row. */
const maxMessageLength = 2_000;

/**
 * Claims a job, prints its document into the blob storage, and settles its success in one transaction fenced by the claim.
 * A failure is written down and thrown with its code; the workflow decides what follows.
 */
export const createRenderDocument =
  (dependencies: ActivityDependencies) =>
  async ({ jobId }: { jobId: string }): Promise<RenderDocumentResult> => {
    const { store, plans, log } = dependencies;
    const scheduledAt = activityInfo().currentAttemptScheduledTimestampMs;
    const beating = setInterval(heartbeat, heartbeatIntervalMs);
    try {
      const job = await claimRenderJob(store.sql, plans, { jobId, scheduledAt, now: Date.now() });
      if (!job) return { outcome: 'not_claimed', ...(await getJobStanding(store.sql, jobId)) };
      return await printClaimed(dependencies, job);
    } catch (error) {
      if (cancellationSignal().aborted) throw new CancelledFailure('The render was canceled.');
      if (error instanceof Error && error.name === 'ApplicationFailure') throw error;
      log.warn({ err: error, jobId }, 'a render was interrupted; it is tried again');
      throw toInfrastructureFailure(error);
    } finally {
      clearInterval(beating);
    }
  };

async function printClaimed(
  dependencies: ActivityDependencies,
  job: ClaimedJob,
): Promise<RenderDocumentResult> {
  const { store, plans, transientOutputTtlMs, wakeRelay } = dependencies;
  const events = createEventLog();
  const startedAt = Date.now();
  let printed: PrintResult<string>;
  try {
    printed = await print(dependencies, job, events);
  } catch (error) {
    await recordFailure(dependencies, job, events, error);
    if (error instanceof RenderError) throw codedFailure(error.code, fence(job));
    throw error;
  }
  const finishedAt = Date.now();
  const result: AttemptResult = {
    outcome: 'succeeded',
    timings: printed.timings,
    events: events.entries(),
    finishedAt,
  };
  const { stored: blobKey, bytes, pageCount, sha256 } = printed;
  const fileName = outputFileName(job.fileStem);
  const receipt = createReceipt(dependencies, job, { sha256, startedAt, finishedAt });
  const pdf = { blobKey, fileName, bytes, pageCount, sha256, receipt };
  const settled = await succeedRenderJob(store.sql, plans, job, pdf, result, transientOutputTtlMs);
  if (!settled) return { outcome: 'not_claimed', ...(await getJobStanding(store.sql, job.jobId)) };
  wakeRelay();
  return { outcome: 'succeeded', ...fence(job), bytes, pageCount, sha256 };
}

const fence = ({ attempt, workflowAttempt }: ClaimedJob) => ({ attempt, workflowAttempt });

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
    pdf: printOptionsSchema.parse(job.pdf),
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

/** Writes down why an attempt ended; if even that fails, the failure itself is still thrown. */
async function recordFailure(
  { store, log }: ActivityDependencies,
  job: ClaimedJob,
  events: EventLog,
  error: unknown,
): Promise<void> {
  const known = error instanceof RenderError;
  const outcome: JobErrorCode | 'canceled' | 'interrupted' = known
    ? error.code
    : cancellationSignal().aborted
      ? 'canceled'
      : 'interrupted';
  await recordAttempt(store.sql, job, {
    outcome,
    ...(known && { message: error.message.slice(0, maxMessageLength) }),
    timings: known ? error.timings : {},
    events: events.entries(),
    finishedAt: Date.now(),
  }).catch((cause: unknown) =>
    log.warn({ err: cause, jobId: job.jobId }, 'an attempt could not be recorded'),
  );
}

/** What produced a PDF, so that it can be proved later; ids, hashes and versions only. */
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

/** Keeps the first entries of an attempt and counts the rest. */
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
      return [
        ...kept,
        { createdAt: Date.now(), level: 'warn', stage: 'page', message, code: 'log_truncated' },
      ];
    },
  };
}
