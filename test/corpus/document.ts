import type { z } from 'zod';
import type { printOptionsSchema } from '../../contracts/rest/schemas/print-options.ts';
import type { FileMap, PackageSet, Packages } from './packages.ts';

/** One document of the corpus: a page as a user of its packages would write it, and the marks that its PDF must have. */
export interface CorpusDocument {
  /** Unique. It is also the host name of the document, so it may contain only letters, digits and hyphens. */
  readonly name: string;
  /** The set of npm packages that it needs. `npm test` prints only the documents of `fast`, `npm run corpus` prints all. */
  readonly set: PackageSet;
  /**
   * `renderReady`: the page defines `window.renderReady`. `nothing`: it does not, and the reference is printed after Playwright's
   * `networkidle`.
   */
  readonly ready: 'renderReady' | 'nothing';
  /**
   * One of its requests, or other work of it, never ends. It must still be printed soon after it is ready. It reports that with
   * `console.error('ready')`.
   */
  readonly endless?: true;
  /** It is complete only after `networkidle`. So the reference waits until the page shows the expected text. */
  readonly late?: true;
  files(packages: Packages): FileMap | Promise<FileMap>;
  /** Answered at `/__payload` as JSON; by default {@link defaultPayload}. */
  readonly payload?: unknown;
  readonly print?: z.input<typeof printOptionsSchema>;
  readonly expect: Expectation;
  readonly knownDifferences?: readonly KnownDifference[];
}

/** Marks that both PDFs must have, so that two empty PDFs do not count as the same. */
export interface Expectation {
  /** Texts that the finished page shows, and an unfinished one does not. */
  readonly text?: string | readonly string[];
  /** Smallest share of the pixels of the first page that are not white. For drawings. */
  readonly ink?: number;
  /** Smallest number of pages; 1 by default. */
  readonly pages?: number;
}

/** A difference that is intended or caused by Chromium, with its reason. */
export interface KnownDifference {
  readonly aspect: Aspect;
  readonly reason: string;
}

/** Aspects that are compared. `failure` means that the service did not print the document. */
export type Aspect =
  | 'failure'
  | 'pages'
  | 'text'
  | 'links'
  | 'outline'
  | 'fonts'
  | 'tags'
  | 'pixels';

/** A group of documents that test the same thing, such as charts, or late changes. */
export interface DocumentKind {
  readonly kind: string;
  readonly documents: readonly CorpusDocument[];
}

/** Sales of two products in twelve months: enough for a chart or a table. */
export const defaultPayload = {
  title: 'Yearly sales',
  customer: 'Ada Lovelace',
  rows: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ].map((month, index) => ({
    month,
    apples: 40 + ((index * 37) % 60),
    pears: 30 + ((index * 53) % 70),
  })),
};
