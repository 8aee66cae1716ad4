import { deleteScheduledBlobs } from '../store/blobs/blob-deletions.ts';
import type { ApiContext } from './context.ts';

/**
 * Deletes blobs whose deletion is owed, before the answer: signed links to them are dead when the client hears of it. With a
 * storage that is down the deletion stays owed, and the clean-up makes it.
 */
export async function deleteBlobsNow(
  { store, log }: Pick<ApiContext, 'store' | 'log'>,
  blobKeys: readonly string[],
  now: number,
): Promise<void> {
  if (blobKeys.length === 0) return;
  const input = { now, limit: blobKeys.length, blobKeys };
  await deleteScheduledBlobs(store.sql, store.blobs, input).catch((error: unknown) =>
    log.warn({ err: error, blobKeys }, 'blobs could not be deleted; the clean-up deletes them'),
  );
}
