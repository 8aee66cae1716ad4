import { type PrintOptions, printOptionsSchema } from '../rest/schemas/print-options.ts';

/** The defaults of print options change with a generation. A committed version keeps the generation of its commit. */
export const currentPrintGeneration = 2;

/** Defaults for print options that a version leaves out, and settings that no option can change. */
interface GenerationDefaults {
  readonly media: NonNullable<PrintOptions['media']>;
  readonly pointer: NonNullable<PrintOptions['pointer']>;
  readonly quietMs: number;
  readonly maxWaitMs: number;
  /** How long requests may continue after the document has declared that it is ready. */
  readonly graceMs: number;
  /** True if a document that does not declare when it is ready is printed after its animations. */
  readonly awaitAnimations: boolean;
  /** Who chooses the fonts of `serif`, `monospace` and the other generic families. */
  readonly genericFonts: 'playwright' | 'chromium';
  /** True if the file `index.html` is opened as `/`, like web servers do. */
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
  // The same as `page.pdf()` of Playwright (docs/from-page-pdf.md). docs/ready.md explains the times.
  [currentPrintGeneration]: {
    media: 'screen-then-print',
    pointer: 'mouse',
    // `networkidle` waits 500 ms after the last request. This wait starts after the last script and ends no later.
    quietMs: 450,
    maxWaitMs: 10_000,
    graceMs: 2_000,
    awaitAnimations: true,
    genericFonts: 'playwright',
    indexAsFolder: true,
  },
};

/** Print options of a version with all defaults filled in. */
export type PrintSettings = Omit<PrintOptions, keyof GenerationDefaults> & GenerationDefaults;

/**
 * Fills in the defaults of a version's generation. An unknown generation comes from a newer release that runs beside this one:
 * it gets the current defaults.
 */
export function resolvePrintSettings(options: unknown, generation: number): PrintSettings {
  const defaults = generations[generation] ?? generations[currentPrintGeneration];
  return { ...defaults, ...printOptionsSchema.parse(options) } as PrintSettings;
}
