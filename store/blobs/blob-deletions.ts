import { ServiceError } from '../../contracts/errors.ts';
import { minuteMs } from '../../contracts/units.ts';
import { clausesFor } from '../database/clauses.ts';
import type { Queryable, Sql } from '../database/connection.ts';
import { BlobStorageUnavailable } from './blob-errors.ts';
import type { BlobStorage } from './blob-storage.ts';

/** How long a process may work on the deletions that it leased. Meanwhile no other process deletes the same blobs. */
const leaseMs = minuteMs;
/** No deletion starts this shortly before the end of the lease, because it could then still run after the end. */
const leaseReserveMs = 20_000;
const parallelDeletions = 8;

/**
 * Schedules the deletion of blobs, in the transaction after which nothing needs them. A blob that may never be needed is also
 * scheduled before it is written, and `cancelBlobDeletion` is called when it is needed.
 *
 * @param dueAt Unix ms. It is later than now if a worker may still read or write the blob. An earlier scheduled time stays.
 */
export const scheduleBlobDeletions = async (
  sql: Queryable,
  blobKeys: readonly string[],
  dueAt: number,
): Promise<void> => {
  if (blobKeys.length === 0) return;
  await sql`
    insert into blob_deletions (blob_key, due_at)
    select key, ${dueAt} from unnest(${blobKeys as string[]}::text[]) as key
    on conflict (blob_key) do update set due_at = least(blob_deletions.due_at, excluded.due_at)`;
};

/**
 * Deletes the blobs whose deletion is due, oldest first; with `blobKeys`, only those.
 *
 * @returns how many blobs were deleted. The deletions stay scheduled while the storage is down.
 */
export async function deleteScheduledBlobs(
  sql: Sql,
  blobs: BlobStorage,
  input: { now: number; limit: number; blobKeys?: readonly string[] },
): Promise<number> {
  const { now, limit, blobKeys } = input;
  // A lease starts now, not when the run started.
  const leasedAt = Date.now();
  const leased = await sql<{ blobKey: string }[]>`
    with due as (
      select blob_key from blob_deletions
      where due_at <= ${now} and leased_until <= ${leasedAt}
        ${clausesFor(sql)(blobKeys, (keys) => sql`and blob_key = any(${keys as string[]})`)}
      order by due_at limit ${limit} for update skip locked
    )
    update blob_deletions d set leased_until = ${leasedAt + leaseMs} from due where d.blob_key = due.blob_key
    returning d.blob_key`;
  const deleted: string[] = [];
  const pending = leased.map(({ blobKey }) => blobKey);
  const lastStartAt = leasedAt + leaseMs - leaseReserveMs;
  const deleteNext = async (): Promise<void> => {
    for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
      if (Date.now() > lastStartAt) return;
      await blobs.delete(key);
      deleted.push(key);
    }
  };
  const results = await Promise.allSettled(Array.from({ length: parallelDeletions }, deleteNext));
  if (deleted.length > 0) await sql`delete from blob_deletions where blob_key = any(${deleted})`;
  const failure = results.find((result) => result.status === 'rejected');
  if (failure && !(failure.reason instanceof BlobStorageUnavailable)) throw failure.reason;
  return deleted.length;
}

/**
 * Cancels the deletion of a blob that is about to be written.
 *
 * @throws ServiceError `storage_unavailable` while the deletion is leased: while it runs, and after a failure until the lease ends
 */
export async function cancelBlobDeletion(
  sql: Queryable,
  blobKey: string,
  now: number,
): Promise<void> {
  const [remaining] = await sql<{ leased: boolean }[]>`
    with canceled as (delete from blob_deletions where blob_key = ${blobKey} and leased_until <= ${now} returning 1)
    select not exists (select from canceled) as leased from blob_deletions where blob_key = ${blobKey}`;
  if (remaining?.leased) throw new ServiceError('storage_unavailable');
}
