import { z } from 'zod';

/** CSS length as Chromium's printing accepts it; a bare number would be ambiguous (pixels or inches). */
const length = z
  .string()
  .regex(/^\d+(\.\d+)?(px|mm|cm|in)$/, 'a length such as "210mm", "8.5in" or "96px"')
  .max(16);

/** Header and footer are small HTML fragments; Chromium fills the classes pageNumber, totalPages, title and date. */
const template = z.string().max(65_536).meta({
  description: 'HTML; the classes pageNumber, totalPages, title and date are filled.',
});

/** Names only: Chromium refuses offsets such as `+05:30`. */
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
 * How a version is printed: `render.print` of a commit (REST 4.2). An unknown key is an error, because a misspelled
 * option that is silently ignored is found only in a million printed pages.
 */
export const printOptionsSchema = z
  .strictObject({
    format: z
      .enum(['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'])
      .optional(),
    width: length.optional(),
    height: length.optional(),
    landscape: z.boolean().default(false).meta({ description: 'Turns `format`.' }),
    margin: z
      .strictObject({ top: length, right: length, bottom: length, left: length })
      .partial()
      .default({}),
    scale: z.number().min(0.1).max(2).default(1),
    printBackground: z.boolean().default(true),
    preferCSSPageSize: z
      .boolean()
      .default(true)
      .meta({ description: '`@page { size }` of the document wins over `format`.' }),
    headerTemplate: template.optional(),
    footerTemplate: template.optional(),
    // Cut first: the pattern takes the square of a long text's time.
    pageRanges: z
      .string()
      .max(256, { abort: true })
      .regex(
        /^\s*(\d+\s*-\s*\d*|-\s*\d+|\d+)(\s*,\s*(\d+\s*-\s*\d*|-\s*\d+|\d+))*\s*$/,
        'page ranges such as "1-5, 8"',
      )
      .optional()
      .meta({ description: 'One-based, such as `1-5, 8, 11-`; all pages unless given.' }),
    tagged: z.boolean().default(true).meta({ description: 'Readable by screen readers.' }),
    outline: z.boolean().default(false).meta({ description: 'Bookmarks from the headings.' }),
    media: z.enum(['screen-then-print', 'print', 'screen']).optional().meta({
      description:
        'CSS media type. `screen-then-print` (the default): scripts see `screen`, paper gets `print`.',
    }),
    pointer: z.enum(['mouse', 'none']).optional().meta({
      description: 'Input device of `pointer` and `hover` media queries; `mouse` by default.',
    }),
    fontHinting: z.enum(['none', 'full']).default('none').meta({
      description: '`full` fits glyphs to the pixels of a screen, as browsers do on Linux.',
    }),
    waitFor: z.enum(['renderReady', 'load', 'idle']).optional().meta({
      description:
        'When the document is ready. By default by `window.renderReady` if it has one, else by `idle`.',
    }),
    quietMs: z.int().min(0).max(10_000).optional().meta({
      description:
        'Time without requests and scripts after which a document is idle; 450 by default.',
    }),
    maxWaitMs: z.int().min(0).max(600_000).optional().meta({
      description:
        'Longest wait for `load` or `idle` after the HTML was read; 10,000 by default. Then it is printed with a warning.',
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
          'Links into the document point below this address; without it they keep their look and lead nowhere.',
      }),
  })
  .refine((options) => !(options.format && (options.width || options.height)), {
    message: 'give format, or width and height, not both',
  })
  .refine((options) => Boolean(options.width) === Boolean(options.height), {
    message: 'width and height go together',
  })
  .meta({
    id: 'PrintOptions',
    description: 'How a version is printed; `format`, or `width` and `height`.',
    override: {
      dependentRequired: { width: ['height'], height: ['width'] },
      not: { required: ['format', 'width'] },
    },
  });

export type PrintOptions = z.output<typeof printOptionsSchema>;
