import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { KiB } from '../contracts/units.ts';
import type { CdpSession } from './cdp-connection.ts';
import { type PdfContents, readContents } from './pdf-contents.ts';
import { countPages } from './pdf-page-counter.ts';
import { RenderError } from './render-error.ts';

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

/** One message of the pipe: large enough for most documents, small enough to be held by every slot. */
const chunkBytes = 512 * KiB;

/** Streams a printed PDF out of Chromium, counted and hashed on the way, and cut at `maxBytes`. */
export function streamPdf(page: CdpSession, handle: string, maxBytes: number): PdfStream {
  const hash = createHash('sha256');
  const pages = countPages();
  const contents = readContents();
  const { promise: complete, resolve, reject } = Promise.withResolvers<PdfFacts>();
  // Whoever waits for `complete` hears of it; a job that was given up does not wait any more.
  complete.catch(() => undefined);
  let bytes = 0;

  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of readHandle(page, handle)) {
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
    } finally {
      page.send('IO.close', { handle }).catch(() => undefined);
    }
  }

  return { stream: Readable.from(chunks(), { objectMode: false }), complete, contents };
}

/** Asks for the next chunk before the last one is used: Chromium says that a stream has ended only in an empty answer. */
async function* readHandle(page: CdpSession, handle: string): AsyncGenerator<Buffer> {
  const read = () => page.send('IO.read', { handle, size: chunkBytes });
  let next = read();
  for (;;) {
    const after = read();
    after.catch(() => undefined);
    const { data, base64Encoded, eof } = await next;
    if (data) yield Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
    if (eof) return;
    next = after;
  }
}

const tooLarge = (maxBytes: number): RenderError =>
  new RenderError(
    'render_output_too_large',
    `The PDF is larger than the ${maxBytes} bytes that the plan allows: print fewer pages or smaller images.`,
  );
