import { maxLinkLifetimeSeconds } from '../../contracts/limits.ts';
import { secondMs } from '../../contracts/units.ts';
import type { BlobStorage } from './blob-storage.ts';

/** What can be linked to: a blob, and the name that it is saved under. */
export interface StoredFile {
  readonly blobKey: string;
  readonly fileName: string;
  /** When it will be deleted, Unix ms; links to it end then. */
  readonly deleteAfter?: number | null;
}

/** REST 2.12 */
export interface Access {
  readonly url: string;
  /** Unix ms, a whole second. */
  readonly expiresAt: number;
}

export interface AccessOptions {
  readonly disposition: 'attachment' | 'inline';
  readonly lifetimeSeconds: number;
}

/**
 * A short-lived signed link to a PDF (REST 2.12); undefined when the storage does not have the blob, or its time is over.
 * It lives from when it is signed, so that one of a second can be followed however long the storage took to answer.
 */
export async function createAccess(
  blobs: BlobStorage,
  file: StoredFile,
  options: AccessOptions,
): Promise<Access | undefined> {
  // Asked, so that a client learns here, and not in its user's browser, that the storage is down.
  if (!(await blobs.exists(file.blobKey))) return undefined;
  return signAccess(blobs, file, { ...options, now: Date.now() });
}

/** The same for a blob that was found; undefined when its time is over. */
export async function signAccess(
  blobs: BlobStorage,
  { blobKey, fileName, deleteAfter }: StoredFile,
  { disposition, lifetimeSeconds, now }: AccessOptions & { readonly now: number },
): Promise<Access | undefined> {
  // Signatures have whole seconds: a link lives as long as was asked or a little longer, and never longer than its file.
  const expiresAt = Math.min(
    Math.ceil(now / secondMs + lifetimeSeconds) * secondMs,
    Math.floor(now / secondMs + maxLinkLifetimeSeconds) * secondMs,
    Math.floor((deleteAfter ?? Number.POSITIVE_INFINITY) / secondMs) * secondMs,
  );
  if (expiresAt <= now) return undefined;
  const options = { fileName, contentType: 'application/pdf', disposition, expiresAt, now };
  return { url: await blobs.createLink(blobKey, options), expiresAt };
}
