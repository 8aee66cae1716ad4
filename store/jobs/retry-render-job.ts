import { renderJobTransitions } from '../../contracts/states.ts';
import type { Sql } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { settleRenderTime } from '../usage/quotas.ts';
import type { JobFailure } from './end-render-job.ts';
import { appendLogs } from './job-logs.ts';

/**
 * `rendering → retry_scheduled`, after a failure that a retry may not have. A new wait of the job starts now.
 *
 * @returns false if the job does not render, or if another attempt holds it; then nothing was written
 */
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

/** The log entry of a job that is delayed by a failure of this service. */
const postponedMessage =
  'The job could not be rendered because of a failure of this service. It is tried again until the failure is over, and nothing is charged.';

/**
 * `queued | rendering → retry_scheduled`, while a failure of this service lasts. If the job was rendering, a new wait starts now.
 *
 * @param input.shouldLog true if the log of the job gets an entry about it
 * @returns false if the job is in another state; then nothing was written
 */
export async function postponeRenderJob(
  sql: Sql,
  input: { jobId: string; retryAt: number; shouldLog: boolean; now: number },
): Promise<boolean> {
  const { jobId, retryAt, shouldLog, now } = input;
  const { from, to } = renderJobTransitions.postpone;
  return inTransaction(sql, async (tx) => {
    const [row] = await tx<{ workspaceId: string; attempt: number; workflowAttempt: number }[]>`
      update render_jobs set status = ${to}, retry_at = ${retryAt}, retry_charged = false,
        queued_at = case when status = 'rendering' then ${now} else queued_at end
      where id = ${jobId} and status in ${tx(from)}
      returning workspace_id, attempt, workflow_attempt`;
    if (!row) return false;
    // An interrupted attempt has no measurements, so nothing is charged for it.
    await settleRenderTime(tx, row.workspaceId, jobId);
    if (shouldLog)
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

/** `retry_scheduled → queued`. The attempt number increases if the last attempt was charged. */
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
