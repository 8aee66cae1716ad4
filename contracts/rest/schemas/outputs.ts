import { z } from 'zod';
import { bytes, timestamp } from '../../fields.ts';
import { exampleId } from '../../ids.ts';
import { outputStateSchema } from '../../states.ts';
import { exampleOutput } from './examples.ts';

export const outputModeSchema = z.enum(['managed', 'transient']);
export type OutputMode = z.infer<typeof outputModeSchema>;

/** REST 2.7 */
export const outputSchema = z
  .strictObject({
    id: z.string(),
    renderJobId: z.string(),
    bytes,
    pageCount: z.int().positive().optional(),
    createdAt: timestamp,
    state: outputStateSchema,
    accessGuaranteedUntil: timestamp.optional(),
    deleteAfter: timestamp.optional(),
    deleteReason: z.enum(['manual', 'retention']).optional(),
    deletedAt: timestamp.optional(),
  })
  .meta({
    id: 'RenderJobOutput',
    description: 'The PDF of a job.',
    examples: [
      {
        id: exampleId('output'),
        renderJobId: exampleId('renderJob'),
        ...exampleOutput,
        state: 'available',
      },
    ],
  });

export type RenderJobOutput = z.infer<typeof outputSchema>;
