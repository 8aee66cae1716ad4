import type { StoredFile } from '../jobs/outputs.ts';
import type { BlobStore } from './blobs.ts';

/** REST 2.12 */
export interface Access {
  readonly url: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

export interface AccessOptions {
  readonly disposition: 'attachment' | 'inline';
  readonly lifetimeSeconds: number;
  readonly now: number;
}

/** A short-lived signed link to a PDF (REST 2.12); undefined when the storage does not have the blob. */
export async function createAccess(
  blobs: BlobStore,
  { blobKey, fileName }: StoredFile,
  { disposition, lifetimeSeconds, now }: AccessOptions,
): Promise<Access | undefined> {
  // Asked, so that a client learns here, and not in its user's browser, that the storage is down.
  if (!(await blobs.exists(blobKey))) return undefined;
  const expiresAt = now + lifetimeSeconds * 1_000;
  const options = { fileName, contentType: 'application/pdf', disposition, expiresAt, now };
  return { url: await blobs.createLink(blobKey, options), expiresAt };
}
