import { z } from 'zod';
import { defaultListLimit, maxLinkLifetimeSeconds, maxListLimit } from '../limits.ts';

/** Unix epoch milliseconds. */
export const timestamp = z
  .int()
  .nonnegative()
  .meta({ description: 'Unix epoch, ms', example: 1_763_596_800_000 });
export const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'a SHA-256 in 64 lower-case hexadecimal digits');
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

const cursor = z
  .string()
  .min(1)
  .max(1024)
  .meta({ description: 'Opaque: `nextCursor` of the page before.' });

/** Query parameters arrive as text. */
export const integerText = z
  .string()
  .regex(/^-?\d{1,16}$/, 'a whole number')
  .transform(Number);

export const pageQuery = z.strictObject({
  cursor: cursor.optional(),
  limit: integerText
    .pipe(z.int().min(1).max(maxListLimit))
    .default(defaultListLimit)
    .meta({ description: `1 to ${maxListLimit}`, example: String(defaultListLimit) }),
});

export const nextCursor = cursor
  .optional()
  .meta({ description: 'Absent on the last page (REST 4.6).' });

const lifetime = z.int().min(1).max(maxLinkLifetimeSeconds);
export const linkBody = z
  .strictObject({ expiresInSeconds: lifetime.optional() })
  .meta({ description: 'Lifetime of the link in seconds; 10 minutes unless given.' });
export const linkQuery = z.strictObject({
  expiresInSeconds: integerText.pipe(lifetime).optional(),
});

export const accessSchema = z
  .strictObject({ url: z.url(), expiresAt: timestamp })
  .meta({ id: 'SignedAccess', description: 'A signed link and when it ends (REST 2.12).' });

export const errorBodySchema = z
  .strictObject({
    error: z.string().meta({ description: 'machine-readable code', example: 'deploy_not_found' }),
    message: z.string().meta({ description: 'what went wrong and what to do' }),
  })
  .meta({ id: 'Error', description: 'The body of every error (REST 7).' });
