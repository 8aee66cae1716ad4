import type { CorpusDocument } from './document.ts';
import type { Site } from './site.ts';

/** Something that prints documents: the service, or the reference that it is held against. */
export interface Printer extends AsyncDisposable {
  /** Rejects with the reason when the document is not printed. */
  print(document: CorpusDocument, site: Site): Promise<PrintedDocument>;
}

export interface PrintedDocument {
  readonly pdf: Uint8Array;
  /** From the start of the navigation to the last byte of the PDF. */
  readonly elapsedMs: number;
  /** From the document's `console.error('ready')` to the last byte; undefined where it does not say so. */
  readonly sinceReadyMs?: number;
}

/** Written by a document with `console.error` when it is ready while something still goes on. */
export const readyMark = 'ready';

/** No document needs as long; one that does has failed. */
export const printTimeoutMs = 20_000;
