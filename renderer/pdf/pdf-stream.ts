import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { RenderError } from '../render-error.ts';
import { createContentsReader, type PdfContents } from './pdf-contents.ts';
import { createPageCounter } from './pdf-page-counter.ts';

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
  /** Facts about the part of the PDF that has been streamed so far; final when `complete` has resolved. */
  readonly contents: PdfContents;
}

/**
 * Streams a printed PDF out of Chromium, and counts its pages, hashes and reads it on the way. A PDF of more than `maxBytes` fails
 * the stream and `complete` with a RenderError `render_output_too_large`.
 */
export function streamPdf(pdf: PdfChunks, maxBytes: number): PdfStream {
  const hash = createHash('sha256');
  const counter = createPageCounter();
  const contents = createContentsReader();
  const { promise: complete, resolve, reject } = Promise.withResolvers<PdfFacts>();
  // A job that has failed does not wait for `complete`, and its rejection must not be unhandled then.
  complete.catch(() => undefined);
  let bytes = 0;

  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of pdf) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw tooLarge(maxBytes);
        hash.update(chunk);
        counter.add(chunk);
        contents.add(chunk);
        yield chunk;
      }
      resolve({ bytes, sha256: hash.digest('hex'), pageCount: counter.pages });
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
