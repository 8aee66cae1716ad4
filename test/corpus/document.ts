import type { z } from 'zod';
import type { printOptionsSchema } from '../../contracts/rest/print-options.ts';
import type { FileMap, PackageSet, Packages } from './packages.ts';

/** A document of the corpus: a page as users of its packages write it, and what its PDF must have. */
export interface CorpusDocument {
  /** Unique. It is also the host name of the document's origin, so it has only letters, digits and hyphens. */
  readonly name: string;
  /** The set that has its packages. `npm test` prints the documents of `fast` too. */
  readonly set: PackageSet;
  /**
   * `renderReady`: the page defines `window.renderReady`. `nothing`: it does not, and the reference is printed after Playwright's
   * `networkidle`.
   */
  readonly ready: 'renderReady' | 'nothing';
  /**
   * One of its requests never ends. It must be printed soon after it is ready nevertheless. It calls `console.error('ready')` when
   * it is ready.
   */
  readonly endless?: true;
  /** It is ready after `networkidle`, so the reference waits until the page shows the expected text. */
  readonly late?: true;
  files(packages: Packages): FileMap | Promise<FileMap>;
  /** The answer of `/__payload`, as JSON. By default {@link usualPayload}. */
  readonly payload?: unknown;
  readonly print?: z.input<typeof printOptionsSchema>;
  readonly expect: Expectation;
  readonly differs?: readonly KnownDifference[];
}

/** Both PDFs must have all of this, so that two empty PDFs do not count as the same. */
export interface Expectation {
  /** Texts that only the finished page shows. */
  readonly text?: string | readonly string[];
  /** For drawings: the least share of the first page's pixels that are not white. */
  readonly ink?: number;
  /** The least number of pages. */
  readonly pages?: number;
}

/** A difference that we want, or that Chromium causes, with its reason. */
export interface KnownDifference {
  readonly what: Aspect;
  readonly reason: string;
}

/** The compared aspects. `failure`: the service does not print the document. */
export type Aspect =
  | 'failure'
  | 'pages'
  | 'text'
  | 'links'
  | 'outline'
  | 'fonts'
  | 'tags'
  | 'pixels';

/** Documents that test similar things, such as charts, or content that loads late. */
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
