import type { ServiceError } from '../contracts/errors.ts';
import { defaultLinkLifetimeSeconds } from '../contracts/limits.ts';
import type { BlobStore } from '../store/blobs.ts';
import type { StoredFile } from '../store/outputs.ts';

export interface LinkRequest {
  readonly body: { readonly expiresInSeconds?: number | undefined };
  readonly query: { readonly expiresInSeconds?: number | undefined };
  readonly now: number;
}

/**
 * A short-lived signed link to a PDF (REST 2.12); the lifetime in the body wins over the one in the query.
 *
 * @param missing thrown when the storage does not have the blob
 */
export async function createAccessLink(
  blobs: BlobStore,
  { blobKey, fileName }: StoredFile,
  disposition: 'attachment' | 'inline',
  { body, query, now }: LinkRequest,
  missing: ServiceError,
): Promise<{ access: { url: string; expiresAt: number } }> {
  // Asked, so that a client learns here, and not in its user's browser, that the storage is down.
  if (!(await blobs.exists(blobKey))) throw missing;
  const lifetimeSeconds =
    body.expiresInSeconds ?? query.expiresInSeconds ?? defaultLinkLifetimeSeconds;
  const expiresAt = now + lifetimeSeconds * 1_000;
  const options = { fileName, contentType: 'application/pdf', disposition, expiresAt, now };
  return { access: { url: await blobs.createLink(blobKey, options), expiresAt } };
}
