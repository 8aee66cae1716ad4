import { defaultLinkLifetimeSeconds, maxLinkLifetimeSeconds } from '../../contracts/limits.ts';
import { secondMs } from '../../contracts/units.ts';
import type { BlobStorage } from './blob-storage.ts';

/** A blob that can be linked to, and the name under which a browser saves it. */
export interface StoredFile {
  readonly blobKey: string;
  readonly fileName: string;
  /** When the file will be deleted, Unix ms. A link ends then at the latest. */
  readonly deleteAfter?: number | null;
}

/** A signed link (REST 2.12). */
export interface Access {
  readonly url: string;
  /** Unix ms, a whole second. */
  readonly expiresAt: number;
}

export interface SignedLinkOptions {
  readonly disposition: 'attachment' | 'inline';
  readonly expiresInSeconds?: number | undefined;
  /** When its lifetime starts, Unix ms. The default is the time of signing. */
  readonly startsAt?: number;
}

/**
 * Creates a short-lived signed link to a PDF (REST 2.12).
 *
 * @returns undefined when the storage does not have the blob or the file has expired
 */
export async function createSignedLink(
  blobs: BlobStorage,
  file: StoredFile,
  { disposition, ...options }: SignedLinkOptions,
): Promise<Access | undefined> {
  const [link] = await createSignedLinks(blobs, file, [disposition], options);
  return link;
}

/**
 * Creates a link for each disposition, with one check that the blob exists.
 *
 * @returns no links when the storage does not have the blob or the file has expired
 */
export async function createSignedLinks(
  blobs: BlobStorage,
  { blobKey, fileName, deleteAfter }: StoredFile,
  dispositions: readonly SignedLinkOptions['disposition'][],
  {
    expiresInSeconds = defaultLinkLifetimeSeconds,
    startsAt,
  }: Omit<SignedLinkOptions, 'disposition'>,
): Promise<Access[]> {
  // This throws if the storage is down, so that the client learns it now and not later in the user's browser.
  if (!(await blobs.exists(blobKey))) return [];
  // Read after the check, so that a link of one second can be followed even if the storage was slow to answer.
  const now = startsAt ?? Date.now();
  // Signatures have whole seconds: a link lives as long as requested or a little longer, and never longer than its file.
  const expiresAt = Math.min(
    Math.ceil(now / secondMs + expiresInSeconds) * secondMs,
    Math.floor(now / secondMs + maxLinkLifetimeSeconds) * secondMs,
    Math.floor((deleteAfter ?? Number.POSITIVE_INFINITY) / secondMs) * secondMs,
  );
  if (expiresAt <= now) return [];
  const options = { fileName, contentType: 'application/pdf', expiresAt, now };
  return Promise.all(
    dispositions.map(async (disposition) => ({
      url: await blobs.createLink(blobKey, { ...options, disposition }),
      expiresAt,
    })),
  );
}
