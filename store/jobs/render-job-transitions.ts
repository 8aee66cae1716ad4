import { type JobErrorCode, ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { transientOutputGuaranteeMs } from '../../contracts/limits.ts';
import type { RenderEvent } from '../../contracts/logs.ts';
import { type PlanCatalogue, policyOf } from '../../contracts/plans.ts';
import { type JobSnapshot, workflowIds } from '../../contracts/processes/workflows.ts';
import type { OutputMode } from '../../contracts/rest/schemas/outputs.ts';
import { type RenderJobStatus, renderJobTransitions } from '../../contracts/states.ts';
import { secondMs } from '../../contracts/units.ts';
import { clausesFor } from '../database/clauses.ts';
import type { Queryable, Sql, Transaction } from '../database/connection.ts';
import { enqueue } from '../database/outbox.ts';
import { inTransaction } from '../database/transactions.ts';
import { markDeploysDeleted } from '../deploys/deploys.ts';
import { refundRenderJob, settleRenderTime } from '../usage/quotas.ts';
import { addStorage, type StorageUsage } from '../usage/storage-usage.ts';
import { enqueueJobEndedWebhooks } from '../webhooks/webhook-events.ts';
import { lockWorkspace } from '../workspaces/workspaces.ts';
import { admitWaitingJobs } from './admission.ts';
import { scheduleStrayOutputDeletions } from './outputs.ts';
import {
  type AttemptResult,
  appendLogs,
  type ClaimedJob,
  recordAttempt,
} from './render-attempts.ts';

/** Every way in which a job that was claimed moves on. Each is one transaction and one compare-and-swap. */

export interface RenderedPdf {
  readonly blobKey: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly pageCount: number;
  readonly sha256: string;
  /** What produced the PDF, so that it can be proved later. */
  readonly receipt: object;
}

/**
 * `rendering → succeeded`, if this attempt still holds the job: output, managed PDF, log and measures are written with it.
 *
 * @returns false when a later attempt holds the job, or it has ended; nothing was written then
 * @throws ServiceError `storage_limit_exceeded`; nothing was written then
 */
export async function succeedRenderJob(
  sql: Sql,
  plans: PlanCatalogue,
  job: ClaimedJob,
  pdf: RenderedPdf,
  result: AttemptResult,
  transientOutputTtlMs: number,
): Promise<boolean> {
  const ended = await terminateRenderJob(sql, plans, {
    transition: 'succeed',
    jobId: job.jobId,
    workspaceId: job.workspaceId,
    workflowAttempt: job.workflowAttempt,
    now: result.finishedAt,
    receipt: pdf.receipt,
    keptBlobKey: pdf.blobKey,
    also: async (tx, { deployId, businessKey }) => {
      const kept = { ...pdf, deployId, businessKey };
      await Promise.all([
        insertOutput(tx, job, kept, { now: result.finishedAt, transientOutputTtlMs }),
        recordAttempt(tx, job, result),
      ]);
    },
    stored:
      job.outputMode === 'managed'
        ? { managedPdfBytes: pdf.bytes }
        : { renderOutputBytes: pdf.bytes },
  });
  return ended !== undefined;
}

async function insertOutput(
  tx: Transaction,
  job: { jobId: string; workspaceId: string; outputMode: OutputMode },
  pdf: RenderedPdf & { readonly deployId: string; readonly businessKey: string },
  { now, transientOutputTtlMs }: { now: number; transientOutputTtlMs: number },
): Promise<void> {
  const { blobKey, fileName, bytes, pageCount, sha256, deployId, businessKey } = pdf;
  const asset = {
    workspaceId: job.workspaceId,
    jobId: job.jobId,
    blobKey,
    fileName,
    bytes,
    pageCount,
    sha256,
    createdAt: now,
  };
  const transient = job.outputMode === 'transient';
  const output = {
    id: newId('output'),
    ...asset,
    accessGuaranteedUntil: transient
      ? now + Math.min(transientOutputGuaranteeMs, transientOutputTtlMs)
      : null,
    // A whole second, as links have: one that is asked for until then can end with the output.
    deleteAfter: transient ? Math.ceil((now + transientOutputTtlMs) / secondMs) * secondMs : null,
  };
  await tx`insert into render_outputs ${tx(output)}`;
  if (job.outputMode === 'managed')
    await tx`insert into pdfs ${tx({ id: newId('pdf'), ...asset, deployId, businessKey })}`;
}

export interface JobFailure {
  readonly code: JobErrorCode;
  readonly message: string;
}

/**
 * `→ failed`. Without `workflowAttempt` whatever holds the job loses it: reconciliation, when its workflow is gone. `uncharged`:
 * trouble of ours ends it, so that it does not count in the month.
 */
export const failRenderJob = (
  sql: Sql,
  plans: PlanCatalogue,
  input: {
    jobId: string;
    workspaceId: string;
    workflowAttempt?: number;
    failure: JobFailure;
    uncharged?: boolean;
    now: number;
  },
): Promise<RenderJobStatus | undefined> =>
  terminateRenderJob(sql, plans, { transition: 'fail', ...input });

/**
 * Cancels a job that waits (REST 4.3); its workflow is told through the outbox.
 *
 * @throws ServiceError `render_job_not_cancelable` when it renders or has ended
 */
export async function cancelRenderJob(
  sql: Queryable,
  plans: PlanCatalogue,
  input: { jobId: string; workspaceId: string; now: number },
): Promise<void> {
  const ended = await terminateRenderJob(sql, plans, {
    transition: 'cancel',
    ...input,
    also: async (tx) => {
      await enqueue(tx, {
        workspaceId: input.workspaceId,
        workflowId: workflowIds.renderJob(input.jobId),
        message: { kind: 'cancel' },
      });
    },
  });
  if (!ended) throw new ServiceError('render_job_not_cancelable');
}

/** Ends a job whose workflow was canceled, also one that renders; returns the state that it ended in, now or before. */
export const stopRenderJob = (
  sql: Sql,
  plans: PlanCatalogue,
  input: { jobId: string; workspaceId: string; now: number },
): Promise<RenderJobStatus | undefined> =>
  terminateRenderJob(sql, plans, { transition: 'stop', ...input });

interface EndedRow {
  readonly requestedAt: number;
  readonly startedAt: number | null;
  readonly deployId: string;
  readonly businessKey: string;
  readonly attempt: number;
  readonly workflowAttempt: number;
  readonly admittedAt: number | null;
  /** Its deploy was made for it alone. */
  readonly temporary: boolean;
}

interface Termination {
  readonly transition: 'succeed' | 'fail' | 'cancel' | 'stop';
  readonly jobId: string;
  readonly workspaceId: string;
  readonly workflowAttempt?: number;
  readonly now: number;
  readonly failure?: JobFailure;
  readonly uncharged?: boolean;
  readonly receipt?: object;
  /** The output's; blobs of other attempts are owed to deletion. */
  readonly keptBlobKey?: string;
  /** Written in the same transaction, once the job is this call's to end. */
  readonly also?: (tx: Transaction, ended: EndedRow) => Promise<void>;
  /** What it adds to the workspace's storage. */
  readonly stored?: Partial<StorageUsage>;
}

/**
 * The one way in which a job ends: its state, the end of its payload, its place under the ceiling passed on, and its webhooks
 * owed, together.
 *
 * @returns the new state; undefined when the job was not in a state that this transition begins from
 */
async function terminateRenderJob(
  sql: Queryable,
  plans: PlanCatalogue,
  end: Termination,
): Promise<RenderJobStatus | undefined> {
  const { from, to } = renderJobTransitions[end.transition];
  return inTransaction(sql, async (tx) => {
    const workspace = await lockWorkspace(tx, end.workspaceId);
    const [ended] = await tx<EndedRow[]>`
      update render_jobs set status = ${to}, finished_at = ${end.now}, retry_at = null,
        queue_wait_ms = queue_wait_ms + case when status = 'rendering' then 0 else greatest(0, ${end.now} - queued_at) end,
        error_code = ${end.failure?.code ?? null}, error_message = ${end.failure?.message ?? null},
        receipt = ${end.receipt ? tx.json(end.receipt as never) : null}
      where id = ${end.jobId} and workspace_id = ${end.workspaceId} and status in ${tx(from)}
        ${clausesFor(tx)(end.workflowAttempt, (held) => tx`and workflow_attempt = ${held}`)}
      returning requested_at, started_at, deploy_id, business_key, attempt, workflow_attempt, admitted_at,
        (select temporary from deploys where id = deploy_id)`;
    if (!ended) return undefined;
    await Promise.all([
      tx`delete from render_job_payloads where job_id = ${end.jobId}`,
      scheduleStrayOutputDeletions(tx, { ...end, ...ended }, end.keptBlobKey, end.now),
      end.also?.(tx, ended),
      enqueueJobEndedWebhooks(tx, end),
      // A deploy made for this job goes with it: locked now, because counters are locked after all other rows.
      ended.temporary
        ? tx`select from deploys where id = ${ended.deployId} for no key update`
        : undefined,
      end.transition === 'succeed'
        ? undefined
        : appendLogs(tx, { jobId: end.jobId, ...ended }, [toLogEntry(end)]),
    ]);
    await admitWaitingJobs(tx, plans, workspace, {
      freed: ended.admittedAt === null ? 0 : 1,
      now: end.now,
    });
    if (ended.startedAt !== null) await settleRenderTime(tx, workspace.id, end.jobId);
    if (ended.startedAt === null || end.uncharged)
      await refundRenderJob(tx, workspace.id, ended.requestedAt);
    if (ended.temporary) await markDeploysDeleted(tx, tx`id = ${ended.deployId}`, end.now);
    if (end.stored)
      await addStorage(tx, {
        workspaceId: workspace.id,
        added: end.stored,
        storageLimitBytes: policyOf(plans, workspace.plan).storageLimitBytes,
        now: end.now,
      });
    return to;
  });
}

const toLogEntry = ({ failure, now }: Termination): RenderEvent =>
  failure
    ? {
        createdAt: now,
        level: 'error',
        stage: 'settle',
        message: failure.message,
        code: failure.code,
      }
    : { createdAt: now, level: 'info', stage: 'cancel', message: 'The job was canceled.' };

/** `rendering → retry_scheduled`, after a failure that may pass. The job waits again from now on. */
export async function scheduleRetry(
  sql: Sql,
  input: {
    jobId: string;
    workflowAttempt: number;
    failure: JobFailure;
    retryAt: number;
    now: number;
  },
): Promise<boolean> {
  const { from, to } = renderJobTransitions.scheduleRetry;
  return inTransaction(sql, async (tx) => {
    const [row] = await tx<{ workspaceId: string; attempt: number; workflowAttempt: number }[]>`
      update render_jobs set status = ${to}, retry_at = ${input.retryAt}, queued_at = ${input.now},
        retry_charged = true
      where id = ${input.jobId} and status in ${tx(from)} and workflow_attempt = ${input.workflowAttempt}
      returning workspace_id, attempt, workflow_attempt`;
    if (!row) return false;
    await settleRenderTime(tx, row.workspaceId, input.jobId);
    const { code, message } = input.failure;
    await appendLogs(tx, { jobId: input.jobId, ...row }, [
      {
        createdAt: input.now,
        level: 'warn',
        stage: 'retry',
        message: `${message} It is tried again.`,
        code,
      },
    ]);
    return true;
  });
}

/** An entry in the log of a job that trouble of ours holds up. */
const postponedMessage =
  'The job could not be rendered, for a reason on our side: it is tried again until that has passed, and nothing is charged.';

/** `queued | rendering → retry_scheduled`, while trouble of ours lasts. The job waits again from now on, if it did not. */
export async function postponeRenderJob(
  sql: Sql,
  input: { jobId: string; retryAt: number; logged: boolean; now: number },
): Promise<boolean> {
  const { jobId, retryAt, logged, now } = input;
  const { from, to } = renderJobTransitions.postpone;
  return inTransaction(sql, async (tx) => {
    const [row] = await tx<{ workspaceId: string; attempt: number; workflowAttempt: number }[]>`
      update render_jobs set status = ${to}, retry_at = ${retryAt}, retry_charged = false,
        queued_at = case when status = 'rendering' then ${now} else queued_at end
      where id = ${jobId} and status in ${tx(from)}
      returning workspace_id, attempt, workflow_attempt`;
    if (!row) return false;
    // Nothing was measured of an attempt that was interrupted: it is charged with nothing.
    await settleRenderTime(tx, row.workspaceId, jobId);
    if (logged)
      await appendLogs(tx, { jobId, ...row }, [
        {
          createdAt: now,
          level: 'warn',
          stage: 'retry',
          message: postponedMessage,
          code: 'service_unavailable',
        },
      ]);
    return true;
  });
}

/** `retry_scheduled → queued`, as the next attempt where the last one was charged. */
export async function requeueRenderJob(
  sql: Sql,
  input: { jobId: string; now: number },
): Promise<boolean> {
  const { from, to } = renderJobTransitions.requeue;
  const rows = await sql`
    update render_jobs set status = ${to}, attempt = attempt + retry_charged::int, retry_charged = true, retry_at = null, queued_at = ${input.now},
      queue_wait_ms = queue_wait_ms + greatest(0, ${input.now} - queued_at)
    where id = ${input.jobId} and status in ${sql(from)} returning 1`;
  return rows.length === 1;
}

/** Where a job stands, for its workflow. */
export async function getJobSnapshot(sql: Sql, jobId: string): Promise<JobSnapshot> {
  const [row] = await sql<JobSnapshot[]>`
    select status, attempt, retry_at, error_code from render_jobs where id = ${jobId}`;
  if (!row) throw new Error(`Job ${jobId} does not exist.`);
  return row;
}
