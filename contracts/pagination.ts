import { z } from 'zod';
import { integerText } from './fields.ts';
import { defaultListLimit, maxListLimit } from './limits.ts';

/** Lists are answered in pages (REST 4.6). A page has items and, unless it is the last, the cursor of the next page. */

const cursor = z
  .string()
  .min(1)
  .max(1024)
  .meta({ description: 'Opaque: `nextCursor` of the previous page.' });

const nextCursor = cursor.optional().meta({
  description: 'Absent on the last page.',
  examples: ['AZq3NcgAbZ7xk0mYk2u0Ug'],
});

/** Schema of one page of a list. */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.strictObject({ items: z.array(item), nextCursor });

/** Schema of a short list, which is answered without pages. */
export const listOf = <S extends z.ZodType>(item: S) => z.strictObject({ items: z.array(item) });

/** Selects a page in the query of the REST API, where a number is text. */
export const pageQuery = z.strictObject({
  cursor: cursor.optional(),
  limit: integerText(1, maxListLimit)
    .default(defaultListLimit)
    .meta({
      description: `Number of items on a page, 1 to ${maxListLimit}.`,
      override: { default: defaultListLimit },
    }),
});

/** Selects a page in the input of the admin router, which is JSON. */
export const pageInput = z.object({
  cursor: cursor.optional(),
  limit: z.int().min(1).max(maxListLimit).default(defaultListLimit),
});
