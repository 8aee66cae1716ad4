import { z } from 'zod';
import { businessKeyQuery, exampleTime, integerText, timestamp } from '../../fields.ts';
import { exampleId } from '../../ids.ts';
import { pageOf, pageQuery } from '../../pagination.ts';
import { pdfSchema } from './render-jobs.ts';

/** REST 2.11 */
export const permanentLinkSchema = z
  .strictObject({ id: z.string(), pdfId: z.string(), url: z.url(), createdAt: timestamp })
  .meta({
    id: 'PermanentLink',
    description: 'A public link that lives until it or its PDF is deleted.',
    examples: [
      {
        id: exampleId('permanentLink'),
        pdfId: exampleId('pdf'),
        url: 'https://print.example.com/p/lnk_8Jq0r5Wc2nT7',
        createdAt: exampleTime,
      },
    ],
  });

const timeQuery = integerText(0);

export const pdfListQuery = pageQuery.extend({
  deployId: z.string().optional(),
  businessKey: businessKeyQuery.optional(),
  createdAfter: timeQuery
    .optional()
    .meta({ description: 'Unix ms; only PDFs made later than that.' }),
  createdBefore: timeQuery
    .optional()
    .meta({ description: 'Unix ms; only PDFs made earlier than that.' }),
});

export const pdfAnswer = z.strictObject({ pdf: pdfSchema }).meta({ id: 'ManagedPdfAnswer' });
export const pdfListAnswer = pageOf(pdfSchema).meta({ id: 'ManagedPdfList' });
export const permanentLinkAnswer = z
  .strictObject({ link: permanentLinkSchema })
  .meta({ id: 'PermanentLinkAnswer' });
export const permanentLinkListAnswer = z
  .strictObject({ items: z.array(permanentLinkSchema) })
  .meta({ id: 'PermanentLinkList' });

export type ManagedPdf = z.infer<typeof pdfSchema>;
export type PermanentLink = z.infer<typeof permanentLinkSchema>;
export type PdfListQuery = z.output<typeof pdfListQuery>;
