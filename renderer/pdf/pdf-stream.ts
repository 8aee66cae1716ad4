import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { RenderError } from '../render-error.ts';
import { type PdfContents, readContents } from './pdf-contents.ts';
import { countPages } from './pdf-page-counter.ts';

/** The bytes of a PDF, in parts. */
export type PdfChunks = AsyncIterable<Buffer> | Iterable<Buffer>;

export interface PdfFacts {
  readonly bytes: number;
  readonly sha256: string;
  readonly pageCount: number;
}

export interface PdfStream {
  readonly stream: Readable;
  /** Resolves when the last byte has left Chromium. */
  readonly complete: Promise<PdfFacts>;
  /** What was read of it so far. */
  readonly contents: PdfContents;
}

/** Streams a printed PDF out of Chromium, counted and hashed on the way, and cut at `maxBytes`. */
export function streamPdf(pdf: PdfChunks, maxBytes: number): PdfStream {
  const hash = createHash('sha256');
  const pages = countPages();
  const contents = readContents();
  const { promise: complete, resolve, reject } = Promise.withResolvers<PdfFacts>();
  // Whoever waits for `complete` hears of it; a job that was given up does not wait any more.
  complete.catch(() => undefined);
  let bytes = 0;

  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of pdf) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw tooLarge(maxBytes);
        hash.update(chunk);
        pages.add(chunk);
        contents.add(chunk);
        yield chunk;
      }
      resolve({ bytes, sha256: hash.digest('hex'), pageCount: pages.pages });
    } catch (error) {
      reject(error);
      throw error;
    }
  }

  return { stream: Readable.from(chunks(), { objectMode: false }), complete, contents };
}

const tooLarge = (maxBytes: number): RenderError =>
  new RenderError(
    'render_output_too_large',
    `The PDF is larger than the ${maxBytes} bytes that the plan allows: print fewer pages or smaller images.`,
  );
