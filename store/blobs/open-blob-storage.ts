import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { openAzureBlobStorage } from './azure-blob-storage.ts';
import type { BlobStorage } from './blob-storage.ts';

/** Opens the storage of the configured provider. This is the one place that knows all providers. */
export async function openBlobStorage(options: Config['blobs']): Promise<BlobStorage> {
  switch (options.provider) {
    case 'azure':
      return openAzureBlobStorage(options);
    case 'none':
      return unconfiguredBlobStorage;
  }
}

const rejectUnconfigured = (): Promise<never> =>
  Promise.reject(
    new ServiceError(
      'storage_unavailable',
      'No file storage is configured: the operator has to name one.',
    ),
  );

/** Stands in for a storage when none is configured. Every call that needs one is answered with 503. */
const unconfiguredBlobStorage: BlobStorage = {
  linkOrigin: undefined,
  prepare: async () => {},
  write: rejectUnconfigured,
  read: rejectUnconfigured,
  delete: rejectUnconfigured,
  exists: rejectUnconfigured,
  createLink: rejectUnconfigured,
};
