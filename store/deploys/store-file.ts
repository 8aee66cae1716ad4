import { dayMs } from '../../contracts/units.ts';
import { cancelBlobDeletion, scheduleBlobDeletions } from '../blobs/blob-deletions.ts';
import { blobKeys } from '../blobs/blob-keys.ts';
import type { BlobStorage } from '../blobs/blob-storage.ts';
import type { Sql, Transaction } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { unknownMime } from './file-types.ts';
import { recordBlob } from './upload-sessions.ts';

/** Longer than any upload: what was not recorded by then never will be. */
const abandonedUploadMs = dayMs;

/**
 * Stores a file of a workspace and records that it has it. Its deletion is owed until then: an upload that breaks off, or a
 * process that ends between the two, leaves nothing for ever.
 *
 * @param bytes throws where they are not those of the hash; then nothing is stored
 * @throws ServiceError `storage_unavailable` also while a deletion of the same file is under way
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
    // Somebody else may have recorded it since it was looked for: then it is not ours to delete.
    const recorded = await tx`
      select 1 from blobs where workspace_id = ${file.workspaceId} and sha256 = ${file.sha256}`;
    if (recorded.length === 0) await scheduleBlobDeletions(tx, [key], now + abandonedUploadMs);
  });
  await blobs.write(key, bytes, unknownMime);
  await inTransaction(sql, async (tx) => {
    await lockFile(tx, key);
    await recordBlob(tx, { ...row, createdAt: now });
    await cancelBlobDeletion(tx, key, now);
  });
}

/** Whoever owes and whoever records see each other, until the end of the transaction. */
const lockFile = (tx: Transaction, key: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
