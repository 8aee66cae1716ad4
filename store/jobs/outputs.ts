import { ServiceError } from '../../contracts/errors.ts';
import type { RenderJobOutput } from '../../contracts/rest/schemas/outputs.ts';
import { minuteMs } from '../../contracts/units.ts';
import { scheduleBlobDeletions } from '../blobs/blob-deletions.ts';
import { blobKeys } from '../blobs/blob-storage.ts';
import type { StoredFile } from '../blobs/signed-links.ts';
import type { Queryable, Sql, Transaction } from '../database/connection.ts';
import {
  type Cursors,
  newestFirst,
  type Page,
  type PageRequest,
  readPage,
} from '../database/cursors.ts';
import { inTransaction } from '../database/transactions.ts';
import { releaseStorage } from '../usage/storage-usage.ts';
import { getRenderJob, type OutputRow, selectOutputs, toOutput } from './render-job-answers.ts';

/**
 * The available output of a job, for a link to it (REST 4.3).
 *
 * @throws ServiceError `render_job_not_found` | `output_not_available` | `output_not_found`
 */
export async function getAvailableOutput(
  sql: Sql,
  workspaceId: string,
  jobId: string,
): Promise<StoredFile> {
  // The job first: once it is seen to have succeeded, its output is there.
  const job = await getRenderJob(sql, workspaceId, jobId);
  const output = await findOutputFile(sql, jobId);
  if (output) return output;
  throw new ServiceError(
    job.finishedAt === undefined ? 'output_not_available' : 'output_not_found',
  );
}

/** The file of a job's output; undefined when it has none, or it was deleted. */
export async function findOutputFile(
  sql: Queryable,
  jobId: string,
): Promise<StoredFile | undefined> {
  const [output] = await sql<StoredFile[]>`
    select blob_key, file_name, delete_after from render_outputs where job_id = ${jobId} and state = 'available'`;
  return output;
}

/**
 * Deletes the output of a job (REST 4.3). A managed PDF of the job stays as it is, with the blob and what it counts in the
 * storage.
 *
 * @returns keys of blobs that nothing needs any more; their deletion is owed
 * @throws ServiceError `render_job_not_found` | `render_job_active` | `output_not_found`
 */
export async function deleteOutput(
  sql: Queryable,
  input: { workspaceId: string; jobId: string; now: number },
): Promise<readonly string[]> {
  const job = await getRenderJob(sql, input.workspaceId, input.jobId);
  if (job.finishedAt === undefined) throw new ServiceError('render_job_active');
  const deleted = await inTransaction(sql, (tx) =>
    endOutputs(tx, tx`job_id = ${input.jobId}`, 'manual', input.now),
  );
  if (deleted.count === 0) throw new ServiceError('output_not_found');
  return deleted.blobKeys;
}

/** Lists the outputs of a workspace, newest first, also those that were deleted. */
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

/** Deletes transient outputs whose time has come. */
export const deleteDueOutputs = (sql: Sql, now: number, limit: number): Promise<Ended> =>
  inTransaction(sql, (tx) =>
    endOutputs(
      tx,
      tx`id in (
        select id from render_outputs
        where state = 'available' and delete_after <= ${now} order by delete_after limit ${limit} for update skip locked)`,
      'retention',
      now,
    ),
  );

interface Ended {
  readonly count: number;
  readonly blobKeys: readonly string[];
}

/**
 * `available → deleted` of the outputs that `which` names. Blob and storage of one whose managed PDF is available are the
 * PDF's; the blob of any other is scheduled for deletion, and its storage is free again.
 */
export async function endOutputs(
  tx: Transaction,
  which: ReturnType<Queryable>,
  reason: 'manual' | 'retention',
  now: number,
): Promise<Ended> {
  const ended = await tx<
    { workspaceId: string; bytes: number; blobKey: string; needed: boolean }[]
  >`
    update render_outputs o set state = 'deleted', delete_reason = ${reason}, deleted_at = ${now}
    where state = 'available' and ${which}
    returning workspace_id, bytes, blob_key, exists (select from pdfs p where p.job_id = o.job_id and p.state = 'available') as needed`;
  const gone = ended.filter(({ needed }) => !needed);
  const unneeded = gone.map(({ blobKey }) => blobKey);
  await scheduleBlobDeletions(tx, unneeded, now);
  await releaseStorage(
    tx,
    gone.map(({ workspaceId, bytes }) => ({ workspaceId, renderOutputBytes: -bytes })),
    now,
  );
  return { count: ended.length, blobKeys: unneeded };
}

/** A worker that was given up for lost may still be writing for so long. */
const staleWriterMs = 10 * minuteMs;

/** Blobs that attempts of an ended job may have left: all but the one that became its output. */
export const scheduleStrayOutputDeletions = (
  tx: Transaction,
  job: { workspaceId: string; jobId: string; workflowAttempt: number },
  kept: string | undefined,
  now: number,
): Promise<void> => {
  const keys = Array.from({ length: job.workflowAttempt }, (_, before) =>
    blobKeys.output(job.workspaceId, job.jobId, before + 1),
  );
  return scheduleBlobDeletions(
    tx,
    keys.filter((key) => key !== kept),
    now + staleWriterMs,
  );
};
