import { randomUUID } from 'node:crypto';
import { type BlobStorage, openBlobStorage } from '../../store/blobs/blob-storage.ts';
import { requireEnv } from './environment.ts';

/** Opens a new, empty container. */
export async function openContainer(): Promise<BlobStorage> {
  const blobs = await openBlobStorage({
    account: { connectionString: requireEnv('AZURE_STORAGE_CONNECTION_STRING') },
    container: `test-${randomUUID()}`,
    publicUrl: undefined,
  });
  await blobs.prepare();
  return blobs;
}
