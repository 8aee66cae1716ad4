import { z } from 'zod';

/** A CSS length that Chromium's printing accepts. A number without unit would be ambiguous (pixels or inches). */
const length = z
  .string()
  .regex(/^\d+(\.\d+)?(px|mm|cm|in)$/, 'a length such as "210mm", "8.5in" or "96px"')
  .max(16);

/** HTML of a header or footer. Chromium fills elements of the classes pageNumber, totalPages, title and date. */
const template = z.string().max(65_536).meta({
  description: 'HTML. Elements of the classes pageNumber, totalPages, title and date are filled.',
});

/** True for names of time zones. Chromium refuses offsets such as `+05:30`. */
const isTimezone = (value: string): boolean => {
  if (/^[+-]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
};

const isLocale = (value: string): boolean => {
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
};

/**
 * Print options of a version: `render.print` of a commit (REST 4.2). An unknown key is an error: if a misspelled option were
 * ignored, nobody would notice before a million pages are printed.
 */
export const printOptionsSchema = z
  .strictObject({
    format: z
      .enum(['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'])
      .optional(),
    width: length.optional(),
    height: length.optional(),
    landscape: z
      .boolean()
      .default(false)
      .meta({ description: 'Swaps width and height of `format`.' }),
    margin: z
      .strictObject({ top: length, right: length, bottom: length, left: length })
      .partial()
      .default({}),
    scale: z.number().min(0.1).max(2).default(1),
    printBackground: z.boolean().default(true),
    preferCSSPageSize: z
      .boolean()
      .default(true)
      .meta({ description: '`@page { size }` of the document has precedence over `format`.' }),
    headerTemplate: template.optional(),
    footerTemplate: template.optional(),
    // Aborts at a long text, because the time of the pattern grows with the square of the length.
    pageRanges: z
      .string()
      .max(256, { abort: true })
      .regex(
        /^\s*(\d+\s*-\s*\d*|-\s*\d+|\d+)(\s*,\s*(\d+\s*-\s*\d*|-\s*\d+|\d+))*\s*$/,
        'page ranges such as "1-5, 8"',
      )
      .optional()
      .meta({ description: 'One-based, such as `1-5, 8, 11-`. All pages by default.' }),
    tagged: z
      .boolean()
      .default(true)
      .meta({ description: 'Makes the PDF readable for screen readers.' }),
    outline: z.boolean().default(false).meta({ description: 'Makes bookmarks from the headings.' }),
    media: z.enum(['screen-then-print', 'print', 'screen']).optional().meta({
      description:
        'CSS media type. With `screen-then-print` (the default) scripts run in `screen` and the page is printed in `print`.',
    }),
    pointer: z.enum(['mouse', 'none']).optional().meta({
      description: 'Input device for the media queries `pointer` and `hover`, `mouse` by default.',
    }),
    fontHinting: z.enum(['none', 'full']).default('none').meta({
      description: '`full` fits glyphs to the pixels of a screen, as browsers do on Linux.',
    }),
    waitFor: z.enum(['renderReady', 'load', 'idle']).optional().meta({
      description:
        'Event after which the document is ready. By default `renderReady` if the document has `window.renderReady`, else `idle`.',
    }),
    quietMs: z.int().min(0).max(10_000).optional().meta({
      description:
        'Time in ms without requests and scripts after which a document is idle, 450 by default.',
    }),
    maxWaitMs: z.int().min(0).max(600_000).optional().meta({
      description:
        'Longest wait in ms for `load` or `idle` after the HTML was read, 10,000 by default. After it the document is printed with a warning.',
    }),
    locale: z
      .string()
      .max(35)
      .refine(isLocale, 'a BCP 47 language tag such as "de-CH"')
      .optional()
      .meta({ description: 'BCP 47 language tag, such as `de-CH`.' }),
    timezone: z
      .string()
      .max(64)
      .refine(isTimezone, 'an IANA time zone such as "Europe/Berlin"')
      .optional()
      .meta({ description: 'IANA time zone, such as `Europe/Berlin`.' }),
    linkBase: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .optional()
      .meta({
        description:
          'Base address of links into the document. Without it such links keep their look but lead nowhere.',
      }),
  })
  .refine((options) => !(options.format && (options.width || options.height)), {
    message: 'send format, or width and height, not both',
  })
  .refine((options) => Boolean(options.width) === Boolean(options.height), {
    message: 'width and height go together',
  })
  .meta({
    id: 'PrintOptions',
    description: 'How a version is printed. Either `format`, or `width` and `height`.',
    override: {
      dependentRequired: { width: ['height'], height: ['width'] },
      not: { required: ['format', 'width'] },
    },
  });

export type PrintOptions = z.output<typeof printOptionsSchema>;
