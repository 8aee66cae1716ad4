import { deleteScheduledBlobs } from '../store/blobs/blob-deletions.ts';
import type { ApiContext } from './context.ts';

/**
 * Deletes blobs whose deletion is scheduled, before the request is answered: signed links to them do not work any more when the
 * client gets the answer. If the storage is down, the deletions stay scheduled for the clean-up.
 */
export async function deleteBlobsNow(
  { store, log }: Pick<ApiContext, 'store' | 'log'>,
  blobKeys: readonly string[],
  now: number,
): Promise<void> {
  if (blobKeys.length === 0) return;
  const input = { now, limit: blobKeys.length, blobKeys };
  await deleteScheduledBlobs(store.sql, store.blobs, input).catch((error: unknown) =>
    log.warn(
      { err: error, blobKeys },
      'blobs could not be deleted now: the clean-up deletes them later',
    ),
  );
}
