import { type ErrorCode, ServiceError } from '../contracts/errors.ts';
import type { BlobStorage } from '../store/blobs/blob-storage.ts';
import { type Access, createSignedLink, type StoredFile } from '../store/blobs/signed-links.ts';

interface LinkRequest {
  readonly disposition: 'attachment' | 'inline';
  readonly body: { readonly expiresInSeconds?: number | undefined };
  readonly query: { readonly expiresInSeconds?: number | undefined };
}

/**
 * Creates the signed link that a REST route answers with (REST 2.12). The lifetime in the body wins over the one in the query.
 *
 * @param missing code of the error when the storage does not have the blob or the file has expired
 * @throws ServiceError `missing`
 */
export async function createAccessLink(
  blobs: BlobStorage,
  file: StoredFile,
  { disposition, body, query }: LinkRequest,
  missing: ErrorCode,
): Promise<{ access: Access }> {
  const expiresInSeconds = body.expiresInSeconds ?? query.expiresInSeconds;
  const access = await createSignedLink(blobs, file, { disposition, expiresInSeconds });
  if (!access) throw new ServiceError(missing);
  return { access };
}
