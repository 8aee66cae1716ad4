import { z } from 'zod';
import { sha256, timestamp } from '../../fields.ts';
import { exampleSha256 } from '../../ids.ts';
import { exampleTimes } from './examples.ts';

/** What produced a PDF, so that it can be proved later; additive to the contract, present once the job has succeeded. */
export const receiptSchema = z
  .strictObject({
    treeHash: sha256.optional().meta({ description: 'Of the version that was printed.' }),
    targetUrl: z
      .string()
      .optional()
      .meta({ description: 'Of a url deploy, as it was when the job was created.' }),
    payloadHash: sha256,
    renderer: z.string().meta({ description: 'Version of this service.' }),
    chromiumVersion: z.string(),
    fontSetHash: z.string().meta({ description: 'Hash of the fonts that the worker had.' }),
    outputSha256: sha256,
    startedAt: timestamp,
    finishedAt: timestamp,
  })
  .meta({
    id: 'RenderJobReceipt',
    description: 'What produced the PDF, so that it can be proved later.',
    examples: [
      {
        treeHash: exampleSha256,
        payloadHash: exampleSha256,
        renderer: '1.0.0',
        chromiumVersion: '143.0.7499.4',
        fontSetHash: exampleSha256,
        outputSha256: exampleSha256,
        ...exampleTimes,
      },
    ],
  });

export type Receipt = z.infer<typeof receiptSchema>;
