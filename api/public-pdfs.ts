import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import type { RequestHandler } from 'express';
import { ServiceError } from '../contracts/errors.ts';
import type { PermanentLink } from '../contracts/rest/schemas/pdfs.ts';
import { BlobNotFound } from '../store/blobs/blob-errors.ts';
import { findPublicPdf, type StoredPermanentLink } from '../store/jobs/permanent-links.ts';
import type { ApiContext } from './context.ts';

/** Adds the public address to a stored permanent link. */
export const toPermanentLink = (
  { publicUrl }: Pick<ApiContext, 'publicUrl'>,
  { token, ...link }: StoredPermanentLink,
): PermanentLink => ({ ...link, url: `${publicUrl()}/p/${token}` });

/** Result of Express's `request.range` for a range that is outside of the file. */
const unsatisfiableRange = -1;

/**
 * Serves the PDF of a permanent link (REST 4.4), either the whole file or one range. The PDF is streamed through this process, and
 * caches must not keep it: the link stops working at the moment when it or its PDF is deleted.
 */
export const servePublicPdf =
  ({ store }: ApiContext): RequestHandler<{ token: string }> =>
  async (request, response) => {
    const pdf = await findPublicPdf(store.sql, store.linkTokens, request.params.token);
    if (!pdf) throw new ServiceError('permanent_link_not_found');
    const { blobKey, fileName, bytes } = pdf;
    response.set({ 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' });
    const ranges = request.range(bytes, { combine: true });
    if (ranges === unsatisfiableRange) {
      response.status(416).set('Content-Range', `bytes */${bytes}`).end();
      return;
    }
    const range =
      Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1
        ? ranges[0]
        : undefined;
    const { start, end } = range ?? { start: 0, end: bytes - 1 };
    const count = end - start + 1;
    // The blob is opened before the headers are set: if that fails, the answer is an error and not a PDF.
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

/** A missing blob means that the PDF was deleted after the link was found. */
function notFoundIfMissing(error: unknown): never {
  throw error instanceof BlobNotFound
    ? new ServiceError('permanent_link_not_found', undefined, { cause: error })
    : error;
}
