import { ServiceError } from '../../contracts/errors.ts';
import type { RenderJobOutput } from '../../contracts/rest/schemas/outputs.ts';
import { minuteMs } from '../../contracts/units.ts';
import { scheduleBlobDeletions } from '../blobs/blob-deletions.ts';
import { blobKeys } from '../blobs/blob-keys.ts';
import type { StoredFile } from '../blobs/signed-links.ts';
import type { Queryable, Sql, Transaction } from '../database/connection.ts';
import {
  type Cursors,
  newestFirst,
  type Page,
  type PageRequest,
  readPage,
} from '../database/cursors.ts';
import { type Nullable, omitNulls } from '../database/rows.ts';
import { inTransaction } from '../database/transactions.ts';
import { releaseStorage } from '../usage/storage-usage.ts';
import { getRenderJob } from './render-jobs.ts';

/**
 * Gets the file of a job's available output, for a link (REST 4.3).
 *
 * @throws ServiceError `render_job_not_found` | `output_not_available` | `output_not_found`
 */
export async function getAvailableOutput(
  sql: Sql,
  workspaceId: string,
  jobId: string,
): Promise<StoredFile> {
  // The job is read first: if it has succeeded by then, its output exists.
  const job = await getRenderJob(sql, workspaceId, jobId);
  const output = await findOutputFile(sql, jobId);
  if (output) return output;
  throw new ServiceError(
    job.finishedAt === undefined ? 'output_not_available' : 'output_not_found',
  );
}

/** Finds the file of a job's output. It returns undefined if the job has no output or the output was deleted. */
export async function findOutputFile(
  sql: Queryable,
  jobId: string,
): Promise<StoredFile | undefined> {
  const [output] = await sql<StoredFile[]>`
    select blob_key, file_name, delete_after from render_outputs where job_id = ${jobId} and state = 'available'`;
  return output;
}

/**
 * Deletes the output of a job (REST 4.3). A managed PDF of the job stays. It keeps the blob and its share of the storage.
 *
 * @returns keys of the blobs that nothing needs any more; their deletion is scheduled
 * @throws ServiceError `render_job_not_found` | `render_job_active` | `output_not_found`
 */
export async function deleteOutput(
  sql: Queryable,
  input: { workspaceId: string; jobId: string; now: number },
): Promise<readonly string[]> {
  const job = await getRenderJob(sql, input.workspaceId, input.jobId);
  if (job.finishedAt === undefined) throw new ServiceError('render_job_active');
  const deleted = await inTransaction(sql, (tx) =>
    markOutputsDeleted(tx, tx`job_id = ${input.jobId}`, 'manual', input.now),
  );
  if (deleted.count === 0) throw new ServiceError('output_not_found');
  return deleted.blobKeys;
}

/** Lists the outputs of a workspace, newest first. Deleted outputs are included. */
export const listOutputs = (
  sql: Queryable,
  cursors: Cursors,
  { workspaceId, ...page }: { workspaceId: string } & PageRequest,
): Promise<Page<RenderJobOutput>> =>
  readPage(cursors, `outputs ${workspaceId}`, page, {
    read: (position) => sql<OutputRow[]>`
      ${selectOutputs(sql)} where workspace_id = ${workspaceId} ${newestFirst(sql, sql`id`, position)}`,
    toItem: toOutput,
    toPosition: ({ id }) => id,
  });

/** Deletes transient outputs that have expired, at most `limit`. */
export const deleteExpiredOutputs = (
  sql: Sql,
  now: number,
  limit: number,
): Promise<DeletedOutputs> =>
  inTransaction(sql, (tx) =>
    markOutputsDeleted(
      tx,
      tx`id in (
        select id from render_outputs
        where state = 'available' and delete_after <= ${now} order by delete_after limit ${limit} for update skip locked)`,
      'retention',
      now,
    ),
  );

interface DeletedOutputs {
  readonly count: number;
  readonly blobKeys: readonly string[];
}

/**
 * `available → deleted`, for all outputs that match `condition`. If the job has an available managed PDF, the PDF keeps the
 * blob and the storage. Otherwise the deletion of the blob is scheduled, and its storage is free again.
 */
export async function markOutputsDeleted(
  tx: Transaction,
  condition: ReturnType<Queryable>,
  reason: 'manual' | 'retention',
  now: number,
): Promise<DeletedOutputs> {
  const deleted = await tx<
    { workspaceId: string; bytes: number; blobKey: string; needed: boolean }[]
  >`
    update render_outputs o set state = 'deleted', delete_reason = ${reason}, deleted_at = ${now}
    where state = 'available' and ${condition}
    returning workspace_id, bytes, blob_key, exists (select from pdfs p where p.job_id = o.job_id and p.state = 'available') as needed`;
  const released = deleted.filter(({ needed }) => !needed);
  const unneeded = released.map(({ blobKey }) => blobKey);
  await scheduleBlobDeletions(tx, unneeded, now);
  await releaseStorage(
    tx,
    released.map(({ workspaceId, bytes }) => ({ workspaceId, renderOutputBytes: -bytes })),
    now,
  );
  return { count: deleted.length, blobKeys: unneeded };
}

/** A worker that is considered lost may still be writing for this long. */
const staleWriterMs = 10 * minuteMs;

/** Schedules the deletion of all blobs that attempts of an ended job may have written, except the output's. */
export const scheduleStrayOutputDeletions = (
  tx: Transaction,
  job: { workspaceId: string; jobId: string; workflowAttempt: number },
  outputKey: string | undefined,
  now: number,
): Promise<void> => {
  const keys = Array.from({ length: job.workflowAttempt }, (_, index) =>
    blobKeys.output(job.workspaceId, job.jobId, index + 1),
  );
  return scheduleBlobDeletions(
    tx,
    keys.filter((key) => key !== outputKey),
    now + staleWriterMs,
  );
};

/** The row of an output, as `selectOutputsOf` reads it. */
export type OutputRow = Nullable<RenderJobOutput>;

const selectOutputs = (sql: Queryable) => sql`
  select id, job_id as render_job_id, bytes, page_count, created_at, state, access_guaranteed_until, delete_after,
    delete_reason, deleted_at
  from render_outputs`;

export const selectOutputsOf = (sql: Queryable, jobIds: readonly string[]) =>
  sql<OutputRow[]>`${selectOutputs(sql)} where job_id = any(${jobIds as string[]})`;

export const toOutput = (row: OutputRow): RenderJobOutput => omitNulls(row);
