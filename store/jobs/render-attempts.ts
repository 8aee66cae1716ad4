import type { JobAttempt } from '../../contracts/admin/jobs.ts';
import type { JobErrorCode } from '../../contracts/errors.ts';
import type { RenderEvent } from '../../contracts/logs.ts';
import type { Queryable } from '../database/connection.ts';
import { type Nullable, omitNulls } from '../database/rows.ts';
import type { AttemptKey } from './claim-render-job.ts';
import { appendLogs, storableText } from './job-logs.ts';

/** Durations of the steps of an attempt, in whole ms. A step that the attempt did not reach is absent. */
export interface AttemptTimings {
  readonly loadMs?: number | undefined;
  readonly readyMs?: number | undefined;
  readonly printMs?: number | undefined;
  readonly storeMs?: number | undefined;
  /** How long the attempt held its browser. This is what it is charged for. */
  readonly browserMs?: number | undefined;
}

/** How an attempt ended. A failure has the code of its error. `interrupted`: the attempt ended for a reason on our side. */
export type AttemptOutcome = 'succeeded' | JobErrorCode | 'canceled' | 'interrupted';

export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /** The error message for the client. */
  readonly message?: string;
  readonly timings: AttemptTimings;
  readonly events: readonly RenderEvent[];
  readonly finishedAt: number;
}

/** Records the result of an attempt, once. A result is ignored if a later attempt has claimed the job. */
export async function recordAttempt(
  sql: Queryable,
  attempt: AttemptKey,
  result: AttemptResult,
): Promise<void> {
  const { jobId, workflowAttempt } = attempt;
  const { loadMs, readyMs, printMs, storeMs, browserMs } = result.timings;
  const recorded = await sql`
      update render_attempts set finished_at = ${result.finishedAt}, outcome = ${result.outcome},
        message = ${result.message === undefined ? null : storableText(result.message)},
        load_ms = ${loadMs ?? null}, ready_ms = ${readyMs ?? null}, print_ms = ${printMs ?? null},
        store_ms = ${storeMs ?? null}, browser_ms = ${browserMs ?? null}
      where job_id = ${jobId} and workflow_attempt = ${workflowAttempt} and finished_at is null
        and exists (select from render_jobs where id = ${jobId} and workflow_attempt = ${workflowAttempt})
      returning 1`;
  if (recorded.length > 0 && result.events.length > 0)
    await appendLogs(sql, attempt, result.events);
}

/** Returns the recorded error message of an attempt. */
export async function getAttemptMessage(
  sql: Queryable,
  attempt: Pick<AttemptKey, 'jobId' | 'workflowAttempt'>,
): Promise<string | undefined> {
  const [row] = await sql<{ message: string | null }[]>`
    select message from render_attempts
    where job_id = ${attempt.jobId} and workflow_attempt = ${attempt.workflowAttempt}`;
  return row?.message ?? undefined;
}

/** Lists the attempts of a job, oldest first. The caller has checked that the job belongs to the workspace. */
export async function listJobAttempts(sql: Queryable, jobId: string): Promise<JobAttempt[]> {
  const rows = await sql<Nullable<JobAttempt>[]>`
    select attempt, workflow_attempt, queued_at, claimed_at, finished_at, load_ms, ready_ms, print_ms, store_ms, browser_ms,
      outcome, message
    from render_attempts where job_id = ${jobId} order by workflow_attempt`;
  return rows.map((row) => omitNulls(row));
}
