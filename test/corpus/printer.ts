import type { CorpusDocument } from './document.ts';
import type { Site } from './site.ts';

/** Prints documents: the service, or the reference that the service is compared with. */
export interface Printer extends AsyncDisposable {
  /** Rejects with the reason when the document is not printed. */
  print(document: CorpusDocument, site: Site): Promise<PrintedDocument>;
}

export interface PrintedDocument {
  readonly pdf: Uint8Array;
  /** Milliseconds from the start of the navigation to the last byte of the PDF. */
  readonly elapsedMs: number;
  /** Milliseconds from the document's `console.error('ready')` to the last byte. Undefined without that line. */
  readonly sinceReadyMs?: number;
}

/** A document whose requests never end writes this with `console.error` when it is ready. */
export const readyMark = 'ready';

/** No document needs this long. A document that does has failed. */
export const printTimeoutMs = 20_000;
