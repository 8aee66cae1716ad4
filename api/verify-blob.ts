import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../contracts/errors.ts';
import { maxSingleFileBytes } from '../contracts/limits.ts';
import { rawMime } from '../contracts/rest/route.ts';

/**
 * Passes on the body of an upload and counts and hashes it. Throws, at the latest at the end, if the bytes are not those that the
 * session lists, so that nothing is stored (REST 4.2).
 *
 * @throws ServiceError `invalid_request` | `blob_too_large` | `blob_hash_mismatch`
 */
export async function* verifyBlob(
  request: IncomingMessage,
  listed: { readonly sha256: string; readonly size: number },
): AsyncGenerator<Buffer> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (type.split(';', 1)[0]?.trim().toLowerCase() !== rawMime || encoding !== 'identity')
    throw new ServiceError('invalid_request', `Send the raw bytes with Content-Type: ${rawMime}.`);
  const hash = createHash('sha256');
  let bytes = 0;
  // `destroyOnReturn: false`: destroying the request would close the connection before the client gets the error.
  const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxSingleFileBytes) throw new ServiceError('blob_too_large');
    if (bytes > listed.size) throw new ServiceError('blob_hash_mismatch');
    hash.update(chunk);
    yield chunk;
  }
  if (bytes !== listed.size || hash.digest('hex') !== listed.sha256)
    throw new ServiceError('blob_hash_mismatch');
}
