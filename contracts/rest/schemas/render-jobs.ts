import { z } from 'zod';
import { jobErrorCodes } from '../../errors.ts';
import { businessKey, exampleTime, sha256, timestamp } from '../../fields.ts';
import { exampleId, exampleSha256 } from '../../ids.ts';
import { pageOf, pageQuery } from '../../pagination.ts';
import { renderJobStatusSchema } from '../../states.ts';
import { attemptUsageSchema } from './attempt-usage.ts';
import { exampleRequest, exampleTimes } from './examples.ts';
import { jobLogEntrySchema } from './job-logs.ts';
import { jobProgressSchema } from './job-progress.ts';
import { outputModeSchema, outputSchema } from './outputs.ts';
import { checkPayload, payloadFields, payloadRules } from './payloads.ts';
import { pdfSummarySchema } from './pdfs.ts';
import { receiptSchema } from './receipts.ts';

/** REST 4.3: create. */
export const createRenderJobBody = z
  .strictObject({
    deployId: z.string(),
    deployVersionId: z
      .string()
      .max(255)
      .default('latest')
      .meta({ description: 'A version id, `latest`, or the name of an alias.' }),
    businessKey: businessKey.optional(),
    ...payloadFields,
    outputMode: outputModeSchema.default('transient').meta({
      description:
        '`managed` keeps the PDF until it is deleted, `transient` keeps it for at least an hour.',
    }),
  })
  .superRefine(checkPayload)
  .meta({
    id: 'CreateRenderJobBody',
    examples: [
      {
        deployId: exampleId('deploy'),
        deployVersionId: 'production',
        businessKey: '2025-0042',
        payload: { number: '2025-0042', total: 129.5, currency: 'EUR' },
        outputMode: 'managed',
      },
    ],
    override: payloadRules,
  });

/** REST 4.3: rerender. Fields that are left out, except the payload, have the value of the job. */
export const rerenderBody = z
  .strictObject({
    businessKey: businessKey.optional(),
    ...payloadFields,
    outputMode: outputModeSchema.optional(),
  })
  .superRefine(checkPayload)
  .meta({
    id: 'RerenderBody',
    examples: [{ payload: { number: '2025-0042', total: 129.5, currency: 'EUR' } }],
    override: payloadRules,
  });

const queuedJob = {
  id: exampleId('renderJob'),
  ...exampleRequest,
  deployVersionNo: 1,
  deployVersionRoute: 'index.html',
  deployVersionTitle: 'Invoice',
  payloadHash: exampleSha256,
  status: 'queued',
  attempt: 0,
  requestedAt: exampleTime,
  outputMode: 'managed',
};
const succeededJob = { ...queuedJob, ...exampleTimes, status: 'succeeded' };

/** REST 2.6 */
export const renderJobSchema = z
  .strictObject({
    id: z.string(),
    deployId: z.string(),
    deployVersionId: z
      .string()
      .meta({ description: 'Always the id of a version, even if the request said `latest`.' }),
    deployVersionNo: z.int().positive().optional(),
    deployVersionRoute: z.string().optional(),
    deployVersionTitle: z.string().optional(),
    businessKey: z.string(),
    payloadHash: sha256.meta({
      description: 'SHA-256 of the payload. JSON is hashed in its canonical form.',
    }),
    status: renderJobStatusSchema.meta({
      description: '`succeeded`, `failed` and `canceled` are final.',
    }),
    attempt: z.int().nonnegative().meta({ description: '0 on the first attempt.' }),
    requestedAt: timestamp,
    startedAt: timestamp.optional(),
    finishedAt: timestamp.optional(),
    errorCode: z.enum(jobErrorCodes).optional().meta({ description: 'Why the job failed.' }),
    errorMessage: z.string().optional().meta({ description: 'The `errorCode` in a sentence.' }),
    outputMode: outputModeSchema,
  })
  .meta({
    id: 'RenderJob',
    description: 'One document that is printed once.',
    examples: [succeededJob],
  });

export const renderJobAnswer = z
  .strictObject({
    job: renderJobSchema,
    output: outputSchema.optional(),
    pdf: pdfSummarySchema.optional(),
    attemptUsage: attemptUsageSchema.optional(),
    logs: z.array(jobLogEntrySchema).optional(),
    progress: jobProgressSchema.optional(),
    warningCount: z
      .int()
      .nonnegative()
      .optional()
      .meta({
        description:
          'Number of warnings and errors of the page in `logs`, such as `console_error`, `request_failed`, `glyph_missing` and `content_cut`. Present once the job has succeeded.',
        examples: [0],
      }),
    receipt: receiptSchema.optional(),
  })
  .meta({ id: 'RenderJobAnswer' });

export const acceptedRenderJobAnswer = z
  .strictObject({
    accepted: z.literal(true),
    queue: z.string().meta({ description: 'Name of the queue in which the job waits.' }),
    job: renderJobSchema,
  })
  .meta({
    id: 'AcceptedRenderJob',
    examples: [{ accepted: true, queue: 'render', job: queuedJob }],
  });

export const renderJobListQuery = pageQuery.extend({
  deployId: z.string().meta({
    description: 'The deploy whose jobs are listed.',
    examples: [exampleId('deploy')],
  }),
});
export const renderJobListAnswer = pageOf(
  z.strictObject({ job: renderJobSchema, output: outputSchema.optional() }),
).meta({ id: 'RenderJobList' });

export type RerenderBody = z.output<typeof rerenderBody>;
export type CreateRenderJobBody = z.output<typeof createRenderJobBody>;
export type RenderJob = z.infer<typeof renderJobSchema>;
export type RenderJobAnswer = z.infer<typeof renderJobAnswer>;
