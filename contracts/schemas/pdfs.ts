import { z } from 'zod';
import { integerText, nextCursor, pageQuery, timestamp } from './common.ts';
import { pdfSchema } from './render-jobs.ts';

/** REST 2.11 */
export const permanentLinkSchema = z
  .strictObject({ id: z.string(), pdfId: z.string(), url: z.url(), createdAt: timestamp })
  .meta({
    id: 'PermanentLink',
    description: 'A public link that lives until it or its PDF is deleted.',
  });

const timeQuery = integerText.pipe(z.int().nonnegative());

export const pdfListQuery = pageQuery.extend({
  deployId: z.string().optional(),
  businessKey: z.string().max(255).optional(),
  createdAfter: timeQuery
    .optional()
    .meta({ description: 'Unix ms; only PDFs made later than that.' }),
  createdBefore: timeQuery
    .optional()
    .meta({ description: 'Unix ms; only PDFs made earlier than that.' }),
});

export const pdfAnswer = z.strictObject({ pdf: pdfSchema });
export const pdfListAnswer = z.strictObject({ items: z.array(pdfSchema), nextCursor });
export const permanentLinkAnswer = z.strictObject({ link: permanentLinkSchema });
export const permanentLinkListAnswer = z.strictObject({ items: z.array(permanentLinkSchema) });

export type ManagedPdf = z.infer<typeof pdfSchema>;
export type PermanentLink = z.infer<typeof permanentLinkSchema>;
export type PdfListQuery = z.output<typeof pdfListQuery>;
