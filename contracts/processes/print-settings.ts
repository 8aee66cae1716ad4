import { type PrintOptions, printOptionsSchema } from '../rest/schemas/print-options.ts';

/** Defaults of printing change with a generation; a committed version keeps those of its day. */
export const currentPrintGeneration = 2;

/** How a version is printed where its options say nothing, and what no option says. */
interface GenerationDefaults {
  readonly media: NonNullable<PrintOptions['media']>;
  readonly pointer: NonNullable<PrintOptions['pointer']>;
  readonly quietMs: number;
  readonly maxWaitMs: number;
  /** How long requests may go on after the document said that it is ready. */
  readonly graceMs: number;
  /** True: a document that says nothing is printed after its animations. */
  readonly awaitAnimations: boolean;
  /** Which fonts `serif`, `monospace` and the like are: Playwright's choice or Chromium's. */
  readonly genericFonts: 'playwright' | 'chromium';
  /** True: the file `index.html` is opened as `/`, as web servers do. */
  readonly indexAsFolder: boolean;
}

const generations: Readonly<Record<number, GenerationDefaults>> = {
  1: {
    media: 'print',
    pointer: 'none',
    quietMs: 0,
    maxWaitMs: Number.POSITIVE_INFINITY,
    graceMs: Number.POSITIVE_INFINITY,
    awaitAnimations: false,
    genericFonts: 'chromium',
    indexAsFolder: false,
  },
  // As `page.pdf()` of Playwright (docs/from-page-pdf.md); the times are those of docs/ready.md.
  [currentPrintGeneration]: {
    media: 'screen-then-print',
    pointer: 'mouse',
    // `networkidle` waits 500 ms from the last request; this is from the last script, and takes no longer.
    quietMs: 450,
    maxWaitMs: 10_000,
    graceMs: 2_000,
    awaitAnimations: true,
    genericFonts: 'playwright',
    indexAsFolder: true,
  },
};

/** Options with everything that the renderer needs to know of a version. */
export type PrintSettings = Omit<PrintOptions, keyof GenerationDefaults> & GenerationDefaults;

/**
 * Completes the options of a version with the defaults of its generation. A generation that this release does not know comes
 * from a newer one beside it, and is printed as the current one.
 */
export function resolvePrintSettings(options: unknown, generation: number): PrintSettings {
  const defaults = generations[generation] ?? generations[currentPrintGeneration];
  return { ...defaults, ...printOptionsSchema.parse(options) } as PrintSettings;
}
