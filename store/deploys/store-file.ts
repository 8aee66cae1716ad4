import { dayMs } from '../../contracts/units.ts';
import { cancelBlobDeletion, scheduleBlobDeletions } from '../blobs/blob-deletions.ts';
import { blobKeys } from '../blobs/blob-keys.ts';
import type { BlobStorage } from '../blobs/blob-storage.ts';
import type { Sql, Transaction } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { unknownMime } from './file-types.ts';
import { recordFile } from './workspace-files.ts';

/** Longer than any upload: a file that is not recorded by then never will be. */
const unrecordedFileMs = dayMs;

/**
 * Stores a file and records that the workspace has it. Until it is recorded its deletion is scheduled, so that an upload that
 * breaks off, or a process that ends between the two steps, leaves nothing behind.
 *
 * @param bytes has to throw if the bytes do not match the hash; then nothing is stored
 * @throws ServiceError `storage_unavailable` also while the same file is being deleted
 */
export async function storeFile(
  { sql, blobs }: { readonly sql: Sql; readonly blobs: BlobStorage },
  file: { workspaceId: string; sha256: string; size: number; mime: string | null; now: number },
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { now, ...row } = file;
  const key = blobKeys.file(file.workspaceId, file.sha256);
  await inTransaction(sql, async (tx) => {
    await lockFile(tx, key);
    await cancelBlobDeletion(tx, key, now);
    // Another upload may have recorded the file meanwhile. Then it must not be deleted.
    const recorded = await tx`
      select 1 from blobs where workspace_id = ${file.workspaceId} and sha256 = ${file.sha256}`;
    if (recorded.length === 0) await scheduleBlobDeletions(tx, [key], now + unrecordedFileMs);
  });
  await blobs.write(key, bytes, unknownMime);
  await inTransaction(sql, async (tx) => {
    await lockFile(tx, key);
    await recordFile(tx, { ...row, createdAt: now });
    await cancelBlobDeletion(tx, key, now);
  });
}

/** Locks the file until the end of the transaction, so that scheduling its deletion and recording it cannot run at once. */
const lockFile = (tx: Transaction, key: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
