import { ServiceError } from '../../contracts/errors.ts';
import { minuteMs } from '../../contracts/units.ts';
import { clausesFor } from '../database/clauses.ts';
import type { Queryable, Sql } from '../database/connection.ts';
import { BlobStorageUnavailable } from './blob-errors.ts';
import type { BlobStorage } from './blob-storage.ts';

/** Longer than a deletion takes, so that no two processes make the same one. */
const leaseMs = minuteMs;
/** No deletion is begun so shortly before the lease ends that it could be made after. */
const leaseReserveMs = 20_000;
const parallelDeletions = 8;

/**
 * Owes the deletion of blobs, in the transaction that ends the need for them.
 *
 * @param dueAt Unix ms; later where a stale worker may still write
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
 * Makes the deletions that are due, oldest first, or only those of `blobKeys`.
 *
 * @returns how many blobs were deleted; those of a storage that is down stay owed
 */
export async function deleteScheduledBlobs(
  sql: Sql,
  blobs: BlobStorage,
  input: { now: number; limit: number; blobKeys?: readonly string[] },
): Promise<number> {
  const { now, limit, blobKeys } = input;
  // A lease runs from when it is taken, however long ago the run began.
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
  const lastBegun = leasedAt + leaseMs - leaseReserveMs;
  const deleteNext = async (): Promise<void> => {
    for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
      if (Date.now() > lastBegun) return;
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
 * Keeps a blob that is about to be written from being deleted: takes back what is owed.
 *
 * @throws ServiceError `storage_unavailable` when its deletion is under way
 */
export async function cancelBlobDeletion(
  sql: Queryable,
  blobKey: string,
  now: number,
): Promise<void> {
  const [owed] = await sql<{ leased: boolean }[]>`
    with taken as (delete from blob_deletions where blob_key = ${blobKey} and leased_until <= ${now} returning 1)
    select not exists (select from taken) as leased from blob_deletions where blob_key = ${blobKey}`;
  if (owed?.leased) throw new ServiceError('storage_unavailable');
}
