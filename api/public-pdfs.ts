import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import type { RequestHandler } from 'express';
import { ServiceError } from '../contracts/errors.ts';
import type { PermanentLink } from '../contracts/rest/schemas/pdfs.ts';
import { BlobNotFound } from '../store/blobs/blob-errors.ts';
import { findPublicPdf, type StoredPermanentLink } from '../store/jobs/permanent-links.ts';
import type { ApiContext } from './context.ts';

/** A permanent link as clients see it: its address is ours. */
export const toPermanentLink = (
  { publicUrl }: Pick<ApiContext, 'publicUrl'>,
  { token, ...link }: StoredPermanentLink,
): PermanentLink => ({ ...link, url: `${publicUrl()}/p/${token}` });

const unsatisfiable = -1;

/**
 * Serves the PDF behind a permanent link (REST 4.4), whole or by one range, streamed by us: the link is dead the moment it or
 * its PDF is deleted, and nothing on the way may keep a copy.
 */
export const servePublicPdf =
  ({ store }: ApiContext): RequestHandler<{ token: string }> =>
  async (request, response) => {
    const pdf = await findPublicPdf(store.sql, store.linkTokens, request.params.token);
    if (!pdf) throw new ServiceError('permanent_link_not_found');
    const { blobKey, fileName, bytes } = pdf;
    response.set({ 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' });
    const ranges = request.range(bytes, { combine: true });
    if (ranges === unsatisfiable) {
      response.status(416).set('Content-Range', `bytes */${bytes}`).end();
      return;
    }
    const range =
      Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1
        ? ranges[0]
        : undefined;
    const { start, end } = range ?? { start: 0, end: bytes - 1 };
    const count = end - start + 1;
    // Read first: what cannot be read is answered by an error, which is no PDF.
    const content =
      request.method === 'HEAD'
        ? undefined
        : await store.blobs.read(blobKey, { offset: start, count }).catch(notFoundIfMissing);
    if (range) response.status(206).set('Content-Range', `bytes ${start}-${end}/${bytes}`);
    response.set({
      'Accept-Ranges': 'bytes',
      'Content-Disposition': contentDisposition(fileName),
      'Content-Length': String(count),
      'Content-Type': 'application/pdf',
    });
    if (content) await pipeline(content, response);
    else response.end();
  };

/** Its PDF was deleted since the link was looked up. */
function notFoundIfMissing(error: unknown): never {
  throw error instanceof BlobNotFound
    ? new ServiceError('permanent_link_not_found', undefined, { cause: error })
    : error;
}
