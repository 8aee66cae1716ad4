import type { z } from 'zod';
import type { printOptionsSchema } from '../../contracts/rest/schemas/print-options.ts';
import type { FileMap, PackageSet, Packages } from './packages.ts';

/** One document of the corpus: a page as a user of its packages would write it, and what its PDF must hold. */
export interface CorpusDocument {
  /** Unique; also the host name of its origin, so letters, digits and hyphens only. */
  readonly name: string;
  /** Where its packages are; a document of `fast` is also part of `npm test`. */
  readonly set: PackageSet;
  /**
   * `renderReady`: the page defines `window.renderReady`. `nothing`: it does not, and its reference is printed after
   * Playwright's `networkidle`.
   */
  readonly ready: 'renderReady' | 'nothing';
  /**
   * One of its requests never ends. It must be printed soon after it is ready all the same, and says when that is with
   * `console.error('ready')`.
   */
  readonly endless?: true;
  /** It is done later than `networkidle` can tell: the reference waits until the page shows the expected text. */
  readonly late?: true;
  files(packages: Packages): FileMap | Promise<FileMap>;
  /** Answered at `/__payload`, as JSON; {@link usualPayload} unless given. */
  readonly payload?: unknown;
  readonly print?: z.input<typeof printOptionsSchema>;
  readonly expect: Expectation;
  readonly differs?: readonly KnownDifference[];
}

/** Marks that both PDFs must have, so that two empty ones do not count as the same. */
export interface Expectation {
  /** Texts that the finished page shows, and an unfinished one does not. */
  readonly text?: string | readonly string[];
  /** For what is drawn: the share of the first page's pixels that are not white, at least. */
  readonly ink?: number;
  /** Pages, at least. */
  readonly pages?: number;
}

/** A difference that is meant, or that is Chromium's, with its reason. */
export interface KnownDifference {
  readonly what: Aspect;
  readonly reason: string;
}

/** Aspects that are compared. `failure`: the service does not print the document at all. */
export type Aspect =
  | 'failure'
  | 'pages'
  | 'text'
  | 'links'
  | 'outline'
  | 'fonts'
  | 'tags'
  | 'pixels';

/** Documents that are alike in what they try, such as charts, or ways to be late. */
export interface DocumentKind {
  readonly kind: string;
  readonly documents: readonly CorpusDocument[];
}

/** Twelve months of two products: enough for a chart or a table. */
export const usualPayload = {
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
