/** Errors of a blob storage, the same for every provider. The provider's own error is the `cause`. */

/** The storage does not answer, or asks to slow down. The same call can succeed later. */
export class BlobStorageUnavailable extends Error {
  override readonly name = 'BlobStorageUnavailable';

  constructor(cause: unknown) {
    super('The blob storage is unavailable. Try again later.', { cause });
  }
}

/** The storage has no blob under this key, or no container. */
export class BlobNotFound extends Error {
  override readonly name = 'BlobNotFound';

  constructor(cause: unknown) {
    super('The blob does not exist.', { cause });
  }
}
