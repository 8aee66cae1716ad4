import { type JobErrorCode, ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { transientOutputGuaranteeMs } from '../../contracts/limits.ts';
import type { RenderEvent } from '../../contracts/logs.ts';
import { type PlanCatalogue, policyOf } from '../../contracts/plans.ts';
import { workflowIds } from '../../contracts/processes/workflows.ts';
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
import type { ClaimedJob } from './claim-render-job.ts';
import { appendLogs } from './job-logs.ts';
import { scheduleStrayOutputDeletions } from './outputs.ts';
import { type AttemptResult, recordAttempt } from './render-attempts.ts';

/** A PDF that an attempt has printed and stored. */
export interface RenderedPdf {
  readonly blobKey: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly pageCount: number;
  readonly sha256: string;
  /** Names all inputs that produced the PDF, so that the origin of the PDF can be proved later. */
  readonly receipt: object;
}

/**
 * `rendering → succeeded`, if this attempt still holds the job. The same transaction writes the output, the managed PDF, the
 * log and the measurements.
 *
 * @returns false if a later attempt holds the job or the job has ended; then nothing was written
 * @throws ServiceError `storage_limit_exceeded`; then nothing was written
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
    outputBlobKey: pdf.blobKey,
    writeResult: async (tx, { deployId, businessKey }) => {
      const owned = { ...pdf, deployId, businessKey };
      await Promise.all([
        insertOutput(tx, job, owned, { now: result.finishedAt, transientOutputTtlMs }),
        recordAttempt(tx, job, result),
      ]);
    },
    addedStorage:
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
  const isTransient = job.outputMode === 'transient';
  const output = {
    id: newId('output'),
    ...asset,
    accessGuaranteedUntil: isTransient
      ? now + Math.min(transientOutputGuaranteeMs, transientOutputTtlMs)
      : null,
    // A whole second, like the end of a link, so that a link can live exactly as long as the output.
    deleteAfter: isTransient ? Math.ceil((now + transientOutputTtlMs) / secondMs) * secondMs : null,
  };
  await tx`insert into render_outputs ${tx(output)}`;
  if (job.outputMode === 'managed')
    await tx`insert into pdfs ${tx({ id: newId('pdf'), ...asset, deployId, businessKey })}`;
}

/** The error with which a job fails. */
export interface JobFailure {
  readonly code: JobErrorCode;
  readonly message: string;
}

/**
 * `→ failed`. Without `workflowAttempt` the job fails whichever attempt holds it: reconciliation does that when the workflow
 * is gone. An `uncharged` job failed because of this service, so it does not count in the month.
 *
 * @returns the new state; undefined if the job has ended, or if another attempt than `workflowAttempt` holds it
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
 * Cancels a waiting job (REST 4.3). Its workflow is canceled through the outbox.
 *
 * @throws ServiceError `render_job_not_cancelable` if the job renders or has ended
 */
export async function cancelRenderJob(
  sql: Queryable,
  plans: PlanCatalogue,
  input: { jobId: string; workspaceId: string; now: number },
): Promise<void> {
  const ended = await terminateRenderJob(sql, plans, {
    transition: 'cancel',
    ...input,
    writeResult: async (tx) => {
      await enqueue(tx, {
        workspaceId: input.workspaceId,
        workflowId: workflowIds.renderJob(input.jobId),
        message: { kind: 'cancel' },
      });
    },
  });
  if (!ended) throw new ServiceError('render_job_not_cancelable');
}

/** Cancels a job whose workflow was canceled, also while it renders. Returns its new state; undefined if it had already ended. */
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
  /** The deploy was created for this job only. */
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
  /** The blob of the job's output. The blobs of all other attempts are scheduled for deletion. */
  readonly outputBlobKey?: string;
  /** Writes more in the same transaction, after the row was updated. */
  readonly writeResult?: (tx: Transaction, ended: EndedRow) => Promise<void>;
  /** The bytes that the job adds to the storage of the workspace. */
  readonly addedStorage?: Partial<StorageUsage>;
}

/**
 * Ends a job; every transition to a terminal state goes through here. One transaction updates the state, deletes the payload,
 * admits the next waiting job and enqueues the webhooks.
 *
 * @returns the new state; undefined if the transition is not allowed from the job's current state
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
        ${clausesFor(tx)(end.workflowAttempt, (holder) => tx`and workflow_attempt = ${holder}`)}
      returning requested_at, started_at, deploy_id, business_key, attempt, workflow_attempt, admitted_at,
        (select temporary from deploys where id = deploy_id)`;
    if (!ended) return undefined;
    await Promise.all([
      tx`delete from render_job_payloads where job_id = ${end.jobId}`,
      scheduleStrayOutputDeletions(tx, { ...end, ...ended }, end.outputBlobKey, end.now),
      end.writeResult?.(tx, ended),
      enqueueJobEndedWebhooks(tx, end),
      // A temporary deploy is deleted with its job. It is locked now, because counters are locked after all other rows.
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
    if (end.addedStorage)
      await addStorage(tx, {
        workspaceId: workspace.id,
        added: end.addedStorage,
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
