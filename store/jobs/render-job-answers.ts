import { ServiceError } from '../../contracts/errors.ts';
import type { AttemptUsage } from '../../contracts/rest/schemas/attempt-usage.ts';
import type { JobLogEntry } from '../../contracts/rest/schemas/job-logs.ts';
import type { RenderJobOutput } from '../../contracts/rest/schemas/outputs.ts';
import type { ManagedPdfSummary } from '../../contracts/rest/schemas/pdfs.ts';
import type { Receipt } from '../../contracts/rest/schemas/receipts.ts';
import type { RenderJob, RenderJobAnswer } from '../../contracts/rest/schemas/render-jobs.ts';
import type { Queryable, Sql, Transaction } from '../database/connection.ts';
import {
  type Cursors,
  newestFirst,
  type Page,
  type PageRequest,
  type Position,
  readPage,
} from '../database/cursors.ts';
import { type Nullable, omitNulls } from '../database/rows.ts';
import { readSnapshot } from '../database/transactions.ts';

/** What the API answers about jobs: always from the rows, read each time (REST 2.6 to 2.10). */

type RenderJobRow = Nullable<RenderJob>;
export type OutputRow = Nullable<RenderJobOutput>;
export type StoredJobRow = RenderJobRow & Omit<StoredRenderJob, 'job'>;

export const selectJob = (sql: Queryable) => sql`
  select j.id, j.deploy_id, j.deploy_version_id, v.version_no as deploy_version_no, v.route as deploy_version_route,
    v.title as deploy_version_title, j.business_key, j.payload_hash, j.status, j.attempt, j.requested_at, j.started_at,
    j.finished_at, j.error_code, j.error_message, j.output_mode, j.receipt, j.target_url, j.queue_wait_ms
  from render_jobs j left join deploy_versions v on v.id = j.deploy_version_id`;

/** A job's row: the job as clients see it, and what else the row knows. */
interface StoredRenderJob {
  readonly job: RenderJob;
  readonly receipt: Receipt | null;
  /** Of a url deploy, as it was when the job was created. */
  readonly targetUrl: string | null;
  /** How long it waited before its attempts and, if it ended while it waited, after the last. */
  readonly queueWaitMs: number;
}

export const toStoredJob = ({
  receipt,
  targetUrl,
  queueWaitMs,
  ...row
}: StoredJobRow): StoredRenderJob => ({
  job: omitNulls(row),
  receipt,
  targetUrl,
  queueWaitMs,
});

/** @throws ServiceError `render_job_not_found` */
export async function getStoredRenderJob(
  sql: Queryable,
  workspaceId: string,
  jobId: string,
): Promise<StoredRenderJob> {
  const [row] = await sql<
    StoredJobRow[]
  >`${selectJob(sql)} where j.id = ${jobId} and j.workspace_id = ${workspaceId}`;
  if (!row) throw new ServiceError('render_job_not_found');
  return toStoredJob(row);
}

/** @throws ServiceError `render_job_not_found` */
export const getRenderJob = async (
  sql: Queryable,
  workspaceId: string,
  jobId: string,
): Promise<RenderJob> => (await getStoredRenderJob(sql, workspaceId, jobId)).job;

/**
 * A job and all that belongs to it (REST 4.3), as it is at one moment: a job that has just succeeded is never seen without
 * its output. The statements go out together.
 *
 * @throws ServiceError `render_job_not_found`
 */
export async function getRenderJobAnswer(
  sql: Sql,
  workspaceId: string,
  jobId: string,
): Promise<RenderJobAnswer> {
  const [{ job, receipt, queueWaitMs }, [output], [pdf], logs, attempts] = await readSnapshot(
    sql,
    (tx) =>
      Promise.all([
        getStoredRenderJob(tx, workspaceId, jobId),
        selectOutputsOf(tx, [jobId]),
        tx<Nullable<ManagedPdfSummary>[]>`
        select id, state, file_name, bytes, page_count, created_at from pdfs where job_id = ${jobId}`,
        tx<Nullable<JobLogEntry>[]>`
        select created_at, attempt, workflow_attempt, level, stage, message, workflow_step, code
        from render_job_logs where job_id = ${jobId} order by id`,
        tx<AttemptRow[]>`
        select claimed_at, finished_at, browser_ms, charged_ms from render_attempts where job_id = ${jobId}`,
      ]),
  );
  return omitNulls({
    job,
    output: output ? toOutput(output) : null,
    pdf: pdf ? omitNulls(pdf) : null,
    attemptUsage: toAttemptUsage(job, queueWaitMs, attempts),
    logs: logs.length > 0 ? logs.map((entry) => omitNulls(entry)) : null,
    warningCount: job.status === 'succeeded' ? countWarnings(logs) : null,
    receipt,
  });
}

/** What the page said of itself in the attempt that succeeded. */
function countWarnings(
  logs: readonly Pick<JobLogEntry, 'level' | 'stage' | 'workflowAttempt'>[],
): number {
  const last = Math.max(...logs.map(({ workflowAttempt }) => workflowAttempt));
  const isWarning = (entry: (typeof logs)[number]): boolean =>
    entry.stage === 'page' &&
    entry.level !== 'info' &&
    entry.level !== 'debug' &&
    entry.workflowAttempt === last;
  return logs.filter(isWarning).length;
}

export const selectOutputs = (sql: Queryable) => sql`
  select id, job_id as render_job_id, bytes, page_count, created_at, state, access_guaranteed_until, delete_after,
    delete_reason, deleted_at
  from render_outputs`;

const selectOutputsOf = (sql: Queryable, jobIds: readonly string[]) =>
  sql<OutputRow[]>`${selectOutputs(sql)} where job_id = any(${jobIds as string[]})`;

export const toOutput = (row: OutputRow): RenderJobOutput => omitNulls(row);

/** Lists the jobs of a deploy, newest first (REST 4.3). The caller has checked that the deploy is the workspace's. */
export const listRenderJobs = (
  sql: Sql,
  cursors: Cursors,
  { deployId, ...page }: { deployId: string } & PageRequest,
): Promise<Page<{ job: RenderJob; output?: RenderJobOutput }>> =>
  readPage(cursors, `render-jobs ${deployId}`, page, {
    read: (position) => readSnapshot(sql, (tx) => readJobsWithOutputs(tx, deployId, position)),
    toItem: ({ row, output }) => ({
      job: toStoredJob(row).job,
      ...(output && { output: toOutput(output) }),
    }),
    toPosition: ({ row }) => row.id,
  });

async function readJobsWithOutputs(
  tx: Transaction,
  deployId: string,
  position: Position,
): Promise<{ row: StoredJobRow; output: OutputRow | undefined }[]> {
  const rows = await tx<StoredJobRow[]>`
    ${selectJob(tx)} where j.deploy_id = ${deployId} ${newestFirst(tx, tx`j.id`, position)}`;
  const ids = rows.map(({ id }) => id);
  const outputs = await selectOutputsOf(tx, ids);
  const byJob = new Map(outputs.map((output) => [output.renderJobId, output]));
  return rows.map((row) => ({ row, output: byJob.get(row.id) }));
}

interface AttemptRow {
  readonly claimedAt: number;
  readonly finishedAt: number | null;
  readonly browserMs: number | null;
  readonly chargedMs: number;
}

/** Sums over all attempts, once the job has ended (REST 2.9). An attempt whose worker was lost counts to the job's end as none. */
function toAttemptUsage(
  job: RenderJob,
  queueWaitMs: number,
  attempts: readonly AttemptRow[],
): AttemptUsage | null {
  if (job.finishedAt === undefined) return null;
  const sum = (of: (attempt: AttemptRow) => number) =>
    attempts.reduce((total, attempt) => total + of(attempt), 0);
  return {
    activeRunMs: sum((attempt) => (attempt.finishedAt ?? attempt.claimedAt) - attempt.claimedAt),
    billableRenderMs: sum((attempt) => attempt.chargedMs),
    browserMs: sum((attempt) => attempt.browserMs ?? 0),
    queueWaitMs,
    turnaroundMs: job.finishedAt - job.requestedAt,
    browserMsSource: 'browser_lifecycle',
  };
}
