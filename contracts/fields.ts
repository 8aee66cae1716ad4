import { z } from 'zod';
import { exampleSha256, sha256Pattern } from './ids.ts';

/** Fields that the schemas of the REST API and of the admin router share. */

/** The time at which all examples of the OpenAPI document take place, Unix ms. */
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

/** A MIME type with optional parameters (RFC 9110), in printable ASCII so that it can be sent as a header. */
export const mime = z
  .string()
  .max(255)
  .regex(
    /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w!#$&^.+-]+=("[\x20-\x21\x23-\x7e]*"|[\w!#$&^.+-]+))*$/,
    'a MIME type such as "text/csv"',
  );

const maxBusinessKeyLength = 255;
export const businessKey = z.string().min(1).max(maxBusinessKeyLength).meta({
  description: 'Your own name for the job, such as an invoice number. It need not be unique.',
});
/** A business key to search by. An empty one finds nothing, but v1 has always accepted it. */
export const businessKeyQuery = z.string().max(maxBusinessKeyLength);

/** A whole number in a query, where all values are text. The OpenAPI document shows it as an integer. */
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
