import { randomUUID } from 'node:crypto';
import { type BlobStore, openBlobStore } from '../../store/blobs/blobs.ts';
import { requireEnv } from './environment.ts';

/** A blob storage of its own, empty. */
export async function openContainer(): Promise<BlobStore> {
  const blobs = await openBlobStore({
    account: { connectionString: requireEnv('AZURE_STORAGE_CONNECTION_STRING') },
    container: `test-${randomUUID()}`,
    publicUrl: undefined,
  });
  await blobs.prepare();
  return blobs;
}
