import type { CorpusDocument } from './document.ts';
import type { Site } from './site.ts';

/** Prints documents: the service, or the reference that it is compared with. */
export interface Printer extends AsyncDisposable {
  /** Rejects with the reason if the document could not be printed. */
  print(document: CorpusDocument, site: Site): Promise<PrintedDocument>;
}

export interface PrintedDocument {
  readonly pdf: Uint8Array;
  /** From the start of the navigation to the last byte of the PDF. */
  readonly elapsedMs: number;
  /** From the document's `console.error('ready')` to the last byte; undefined if the document does not write that. */
  readonly sinceReadyMs?: number;
}

/** A document with a request that never ends writes this with `console.error` when it is ready. */
export const readyMark = 'ready';

/** No document needs this long. A document that does has failed. */
export const printTimeoutMs = 20_000;
