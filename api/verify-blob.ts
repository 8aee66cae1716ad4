import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../contracts/errors.ts';
import { maxSingleFileBytes } from '../contracts/limits.ts';
import { rawMime } from '../contracts/rest/route.ts';

/**
 * Passes the body of an upload on while it counts and hashes it. It ends in an error, so that nothing is stored, unless the
 * bytes are those that the session lists (REST 4.2).
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
  // Not destroyed when it is refused midway: the connection would go with it, and the client would not get the answer.
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
