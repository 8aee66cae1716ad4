import type { JobLogEntry } from '../../contracts/rest/schemas/job-logs.ts';
import type { RenderJobOutput } from '../../contracts/rest/schemas/outputs.ts';
import type { ManagedPdfSummary } from '../../contracts/rest/schemas/pdfs.ts';
import type { RenderJob, RenderJobAnswer } from '../../contracts/rest/schemas/render-jobs.ts';
import type { Sql, Transaction } from '../database/connection.ts';
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
import { type AttemptRow, toAttemptUsage } from './attempt-usage.ts';
import { type OutputRow, selectOutputsOf, toOutput } from './outputs.ts';
import { getStoredRenderJob, type StoredJobRow, selectJob, toStoredJob } from './render-jobs.ts';

/** The answers of the API about jobs (REST 2.6 to 2.10). They are read from the rows each time, never from a cache. */

/**
 * Reads a job and all that belongs to it (REST 4.3) in one snapshot, so that a job that has just succeeded always has its
 * output. The statements are sent together.
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

/** Counts the warnings and errors that the page logged in the attempt that succeeded. */
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

/** Lists the jobs of a deploy, newest first (REST 4.3). The caller has checked that the deploy belongs to the workspace. */
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
