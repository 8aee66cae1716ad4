import { z } from 'zod';
import { exampleSha256, sha256Pattern } from '../ids.ts';
import {
  defaultLinkLifetimeSeconds,
  defaultListLimit,
  maxLinkLifetimeSeconds,
  maxListLimit,
} from '../limits.ts';

/** When the examples of the OpenAPI document take place. */
export const exampleTime = 1_763_596_800_000;

/** Unix epoch milliseconds. */
export const timestamp = z
  .int()
  .nonnegative()
  .meta({ description: 'Unix epoch, ms', examples: [exampleTime] });
export const sha256 = z
  .string()
  .regex(sha256Pattern, 'a SHA-256 in 64 lower-case hexadecimal digits')
  .meta({ examples: [exampleSha256] });
export const bytes = z.int().nonnegative();
export const milliseconds = z.int().nonnegative();

/** A MIME type with optional parameters, as RFC 9110 writes it; printable ASCII, so that it can be sent as a header. */
export const mime = z
  .string()
  .max(255)
  .regex(
    /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w!#$&^.+-]+=("[\x20-\x21\x23-\x7e]*"|[\w!#$&^.+-]+))*$/,
    'a MIME type such as "text/csv"',
  );

const maxBusinessKeyLength = 255;
export const businessKey = z.string().min(1).max(maxBusinessKeyLength).meta({
  description: 'Your own name for the job, such as an invoice number; need not be unique.',
});
/** To search by: v1 has always taken an empty one, which no job has. */
export const businessKeyQuery = z.string().max(maxBusinessKeyLength);

export const cursor = z
  .string()
  .min(1)
  .max(1024)
  .meta({ description: 'Opaque: `nextCursor` of the page before.' });

/** A whole number in a query, where everything arrives as text; the OpenAPI document shows the number. */
export const integerText = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^-?\d{1,16}$/, 'a whole number')
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum))
    .meta({
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, { type: 'integer', minimum, maximum });
      },
    });

export const pageQuery = z.strictObject({
  cursor: cursor.optional(),
  limit: integerText(1, maxListLimit)
    .default(defaultListLimit)
    .meta({
      description: `How many items a page has, 1 to ${maxListLimit}.`,
      override: { default: defaultListLimit },
    }),
});

export const nextCursor = cursor.optional().meta({
  description: 'Absent on the last page.',
  examples: ['AZq3NcgAbZ7xk0mYk2u0Ug'],
});

const lifetimeDescription = `Lifetime of the link in seconds; ${defaultLinkLifetimeSeconds} unless given.`;
export const linkBody = z
  .strictObject({
    expiresInSeconds: z
      .int()
      .min(1)
      .max(maxLinkLifetimeSeconds)
      .optional()
      .meta({ description: lifetimeDescription, examples: [3_600] }),
  })
  .meta({ id: 'LinkBody' });
export const linkQuery = z.strictObject({
  expiresInSeconds: integerText(1, maxLinkLifetimeSeconds)
    .optional()
    .meta({ description: `${lifetimeDescription} The one in the body wins.` }),
});

export const accessSchema = z.strictObject({ url: z.url(), expiresAt: timestamp }).meta({
  id: 'SignedAccess',
  description: 'A signed link and when it ends.',
  examples: [
    {
      url: 'https://files.example.com/outputs/invoice.pdf?sig=2hZk8mQ',
      expiresAt: exampleTime + defaultLinkLifetimeSeconds * 1_000,
    },
  ],
});

export const errorBodySchema = z
  .strictObject({
    error: z.string().meta({ description: 'machine-readable code' }),
    message: z.string().meta({ description: 'what went wrong and what to do' }),
  })
  .meta({ id: 'Error', description: 'The body of every error.' });
