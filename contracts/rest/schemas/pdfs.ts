import { z } from 'zod';
import {
  businessKeyQuery,
  bytes,
  exampleTime,
  integerText,
  sha256,
  timestamp,
} from '../../fields.ts';
import { exampleId, exampleSha256 } from '../../ids.ts';
import { listOf, pageOf, pageQuery } from '../../pagination.ts';
import { outputStateSchema } from '../../states.ts';
import { exampleOutput, exampleRequest } from './examples.ts';

const examplePdf = {
  id: exampleId('pdf'),
  state: 'available',
  fileName: 'invoice-2025-0042.pdf',
  ...exampleOutput,
};

/** REST 2.8 */
export const pdfSummarySchema = z
  .strictObject({
    id: z.string(),
    state: outputStateSchema,
    fileName: z.string(),
    bytes,
    pageCount: z.int().positive().optional(),
    createdAt: timestamp,
  })
  .meta({
    id: 'ManagedPdfSummary',
    description: 'A managed PDF in the answer of its job.',
    examples: [examplePdf],
  });

/** The full record of a managed PDF: the summary and its origin. */
export const pdfSchema = pdfSummarySchema
  .extend({
    renderJobId: z.string(),
    deployId: z.string(),
    deployVersionId: z.string(),
    businessKey: z.string(),
    sha256,
    deletedAt: timestamp.optional(),
  })
  .meta({
    id: 'ManagedPdf',
    description: 'A PDF that is kept until it is deleted, and its origin.',
    examples: [
      {
        ...examplePdf,
        ...exampleRequest,
        renderJobId: exampleId('renderJob'),
        sha256: exampleSha256,
      },
    ],
  });

/** REST 2.11 */
export const permanentLinkSchema = z
  .strictObject({ id: z.string(), pdfId: z.string(), url: z.url(), createdAt: timestamp })
  .meta({
    id: 'PermanentLink',
    description: 'A public link that works until it or its PDF is deleted.',
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
    .meta({ description: 'Unix ms. Only PDFs that were created after this time.' }),
  createdBefore: timeQuery
    .optional()
    .meta({ description: 'Unix ms. Only PDFs that were created before this time.' }),
});

export const pdfAnswer = z.strictObject({ pdf: pdfSchema }).meta({ id: 'ManagedPdfAnswer' });
export const pdfListAnswer = pageOf(pdfSchema).meta({ id: 'ManagedPdfList' });
export const permanentLinkAnswer = z
  .strictObject({ link: permanentLinkSchema })
  .meta({ id: 'PermanentLinkAnswer' });
export const permanentLinkListAnswer = listOf(permanentLinkSchema).meta({
  id: 'PermanentLinkList',
});

export type ManagedPdfSummary = z.infer<typeof pdfSummarySchema>;
export type ManagedPdf = z.infer<typeof pdfSchema>;
export type PermanentLink = z.infer<typeof permanentLinkSchema>;
export type PdfListQuery = z.output<typeof pdfListQuery>;
