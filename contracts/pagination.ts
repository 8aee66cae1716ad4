import { z } from 'zod';
import { integerText } from './fields.ts';
import { defaultListLimit, maxListLimit } from './limits.ts';

/** Lists come in pages (REST 4.6): a page holds its items and, unless it is the last, the cursor of the next. */

const cursor = z
  .string()
  .min(1)
  .max(1024)
  .meta({ description: 'Opaque: `nextCursor` of the page before.' });

const nextCursor = cursor.optional().meta({
  description: 'Absent on the last page.',
  examples: ['AZq3NcgAbZ7xk0mYk2u0Ug'],
});

/** A page of a list. */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.strictObject({ items: z.array(item), nextCursor });

/** A list that always comes whole, because it is short. */
export const listOf = <S extends z.ZodType>(item: S) => z.strictObject({ items: z.array(item) });

/** Which page a client of the REST API asks for: in a query, where a number is text. */
export const pageQuery = z.strictObject({
  cursor: cursor.optional(),
  limit: integerText(1, maxListLimit)
    .default(defaultListLimit)
    .meta({
      description: `How many items a page has, 1 to ${maxListLimit}.`,
      override: { default: defaultListLimit },
    }),
});

/** Which page a caller of the admin router asks for: in JSON, where a number is a number. */
export const pageInput = z.object({
  cursor: cursor.optional(),
  limit: z.int().min(1).max(maxListLimit).default(defaultListLimit),
});
