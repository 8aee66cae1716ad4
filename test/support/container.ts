import { randomUUID } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { BlobStorage } from '../../store/blobs/blob-storage.ts';
import { openBlobStorage } from '../../store/blobs/open-blob-storage.ts';
import { requireEnv } from './environment.ts';

/** The options of a container that does not exist yet. */
export const newContainer = (): Config['blobs'] => ({
  provider: 'azure',
  account: { connectionString: requireEnv('AZURE_STORAGE_CONNECTION_STRING') },
  container: `test-${randomUUID()}`,
  publicUrl: undefined,
});

/** Opens an empty blob storage for one suite. */
export async function openContainer(): Promise<BlobStorage> {
  const blobs = await openBlobStorage(newContainer());
  await blobs.prepare();
  return blobs;
}
