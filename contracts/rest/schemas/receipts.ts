import { z } from 'zod';
import { sha256, timestamp } from '../../fields.ts';
import { exampleSha256 } from '../../ids.ts';
import { exampleTimes } from './examples.ts';

/** Proof of how a PDF was made. An addition to the contract, present once the job has succeeded. */
export const receiptSchema = z
  .strictObject({
    treeHash: sha256
      .optional()
      .meta({ description: '`treeHash` of the version that was printed.' }),
    targetUrl: z
      .string()
      .optional()
      .meta({ description: '`targetUrl` of a url deploy at the time when the job was created.' }),
    payloadHash: sha256,
    renderer: z.string().meta({ description: 'Version of this service.' }),
    chromiumVersion: z.string(),
    fontSetHash: z.string().meta({ description: 'Hash of the fonts of the worker.' }),
    outputSha256: sha256,
    startedAt: timestamp,
    finishedAt: timestamp,
  })
  .meta({
    id: 'RenderJobReceipt',
    description: 'Proof of how the PDF was made.',
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
