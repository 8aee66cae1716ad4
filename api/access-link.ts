import type { ServiceError } from '../contracts/errors.ts';
import { defaultLinkLifetimeSeconds } from '../contracts/limits.ts';
import type { BlobStorage } from '../store/blobs/blob-storage.ts';
import type { StoredFile } from '../store/blobs/signed-links.ts';
import { type Access, createAccess } from '../store/blobs/signed-links.ts';

export interface LinkRequest {
  readonly body: { readonly expiresInSeconds?: number | undefined };
  readonly query: { readonly expiresInSeconds?: number | undefined };
}

/**
 * A short-lived signed link to a PDF (REST 2.12); the lifetime in the body wins over the one in the query.
 *
 * @param missing thrown when the storage does not have the blob, or its time is over
 */
export async function createAccessLink(
  blobs: BlobStorage,
  file: StoredFile,
  disposition: 'attachment' | 'inline',
  { body, query }: LinkRequest,
  missing: ServiceError,
): Promise<{ access: Access }> {
  const lifetimeSeconds =
    body.expiresInSeconds ?? query.expiresInSeconds ?? defaultLinkLifetimeSeconds;
  const access = await createAccess(blobs, file, { disposition, lifetimeSeconds });
  if (!access) throw missing;
  return { access };
}
