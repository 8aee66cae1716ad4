import { z } from 'zod';
import { jobErrorCodes } from '../../errors.ts';
import {
  businessKey,
  bytes,
  exampleTime,
  milliseconds,
  mime,
  sha256,
  timestamp,
} from '../../fields.ts';
import { exampleId, exampleSha256 } from '../../ids.ts';
import { logLevelSchema, logStageSchema } from '../../logs.ts';
import { pageOf, pageQuery } from '../../pagination.ts';
import { outputStateSchema, renderJobStatusSchema } from '../../states.ts';

export const outputModeSchema = z.enum(['managed', 'transient']);
export type OutputMode = z.infer<typeof outputModeSchema>;

const jsonMime = 'application/json; charset=utf-8';
/** JSON by its MIME type: `application/json` or any `+json`. */
export const isJsonMime = (value: string): boolean => /^[^;]*(\/|\+)json\s*(;|$)/i.test(value);

/** The payload of a job: JSON, text, or bytes. */
const payloadFields = {
  payload: z
    .unknown()
    .optional()
    .meta({ description: 'Any JSON, or a string where payloadMime is not JSON.' }),
  payloadMime: mime.default(jsonMime).meta({ description: 'What the page gets as Content-Type.' }),
  payloadBase64: z.base64().optional().meta({
    description: 'The raw bytes of a payload that is not JSON, instead of `payload`.',
  }),
};

/** `isJsonMime` and `checkPayload` as JSON Schema. */
const jsonMimePattern = '^[^;]*(/|\\+)[jJ][sS][oO][nN]\\s*(;|$)';
const notJson = {
  required: ['payloadMime'],
  properties: { payloadMime: { not: { pattern: jsonMimePattern } } },
};
const payloadRules = {
  if: { required: ['payloadBase64'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { ...notJson, not: { required: ['payload'] } },
  else: {
    if: notJson,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['payload'], properties: { payload: { type: 'string' as const } } },
  },
};

interface GivenPayload {
  readonly payload?: unknown;
  readonly payloadMime: string;
  readonly payloadBase64?: string | undefined;
}

/** A payload comes in one form, and its MIME type says which. */
const checkPayload = (body: GivenPayload, context: z.RefinementCtx): void => {
  const fail = (path: keyof GivenPayload, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const json = isJsonMime(body.payloadMime);
  if (body.payloadBase64 !== undefined && body.payload !== undefined)
    fail('payloadBase64', 'give payload or payloadBase64, not both');
  else if (body.payloadBase64 !== undefined && json)
    fail('payloadMime', 'bytes in payloadBase64 need a payloadMime that is not JSON');
  else if (body.payloadBase64 === undefined && !json && typeof body.payload !== 'string')
    fail('payload', 'a payload that is not JSON is a string in payload or bytes in payloadBase64');
  else if (!json && typeof body.payload === 'string' && !body.payload.isWellFormed())
    fail('payload', 'a text is UTF-8, which has no lone surrogates: send bytes in payloadBase64');
};

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
      description: '`managed` keeps the PDF until it is deleted, `transient` for an hour at least.',
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

/** The payload of an ended job again; what is left out is as the job had it. */
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

const exampleTimes = { startedAt: exampleTime + 180, finishedAt: exampleTime + 1_240 };
const exampleOutput = { bytes: 48_213, pageCount: 2, createdAt: exampleTimes.finishedAt };
const exampleRequest = {
  deployId: exampleId('deploy'),
  deployVersionId: exampleId('deployVersion'),
  businessKey: '2025-0042',
};
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
      .meta({ description: 'Always of a version, also where `latest` was asked for.' }),
    deployVersionNo: z.int().positive().optional(),
    deployVersionRoute: z.string().optional(),
    deployVersionTitle: z.string().optional(),
    businessKey: z.string(),
    payloadHash: sha256.meta({
      description: 'SHA-256 of the payload; of JSON in its canonical form.',
    }),
    status: renderJobStatusSchema.meta({
      description: '`succeeded`, `failed` and `canceled` are final.',
    }),
    attempt: z.int().nonnegative().meta({ description: '0 on the first attempt.' }),
    requestedAt: timestamp,
    startedAt: timestamp.optional(),
    finishedAt: timestamp.optional(),
    errorCode: z.enum(jobErrorCodes).optional().meta({ description: 'Why a failed job failed.' }),
    errorMessage: z.string().optional().meta({ description: 'The same in a sentence.' }),
    outputMode: outputModeSchema,
  })
  .meta({
    id: 'RenderJob',
    description: 'One document to be printed.',
    examples: [succeededJob],
  });

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
    description: 'A managed PDF as its job shows it.',
    examples: [examplePdf],
  });

/** The standalone record of a managed PDF: the summary, and where it comes from. */
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
    description: 'A PDF that is kept until it is deleted, and where it comes from.',
    examples: [
      {
        ...examplePdf,
        ...exampleRequest,
        renderJobId: exampleId('renderJob'),
        sha256: exampleSha256,
      },
    ],
  });

/** REST 2.9 */
export const attemptUsageSchema = z
  .strictObject({
    activeRunMs: milliseconds.meta({ description: 'A worker was at the job, all attempts.' }),
    billableRenderMs: milliseconds.meta({
      description: '`browserMs` of each attempt, up to the next 100 ms.',
    }),
    browserMs: milliseconds.meta({ description: 'A browser was held, all attempts.' }),
    queueWaitMs: milliseconds.meta({
      description: 'The job waited: in the queue, each time, and for its retries.',
    }),
    turnaroundMs: milliseconds.meta({ description: 'From request to end.' }),
    browserMsSource: z.literal('browser_lifecycle'),
  })
  .meta({
    id: 'AttemptUsage',
    description: 'What the job took.',
    examples: [
      {
        activeRunMs: 1_060,
        billableRenderMs: 900,
        browserMs: 870,
        queueWaitMs: 180,
        turnaroundMs: 1_240,
        browserMsSource: 'browser_lifecycle',
      },
    ],
  });

/** REST 2.10 */
export const jobLogEntrySchema = z
  .strictObject({
    createdAt: timestamp,
    attempt: z.int().nonnegative(),
    workflowAttempt: z.int().nonnegative().meta({
      description: 'Counts also what was tried again for reasons of ours.',
    }),
    level: logLevelSchema,
    stage: logStageSchema,
    message: z.string(),
    workflowStep: z.string().optional(),
    code: z.string().optional().meta({ description: 'Kind, such as `console_error`.' }),
  })
  .meta({
    id: 'JobLogEntry',
    description: 'One thing that happened while the job ran.',
    examples: [
      {
        createdAt: exampleTime + 1_100,
        attempt: 0,
        workflowAttempt: 1,
        level: 'info',
        stage: 'print',
        message: 'printed in 212 ms',
      },
    ],
  });

const waitingForSchema = z.enum(['admission', 'browser', 'retry']);

const queuePositionSchema = z
  .strictObject({
    ahead: z
      .int()
      .nonnegative()
      .meta({ description: 'Queued jobs of the workspace before this one, counted up to 10,000.' }),
    expectedStartAt: timestamp.optional().meta({
      description: 'An estimate from the latest jobs, Unix ms; absent while there are none.',
    }),
  })
  .meta({ id: 'QueuePosition' });

/** What only the running workflow knows; additive to the contract, present while the job is not terminal. */
export const jobProgressSchema = z
  .strictObject({
    waitingFor: waitingForSchema.optional().meta({ description: 'Absent while it renders.' }),
    since: timestamp,
    retryAt: timestamp.optional(),
    queuePosition: queuePositionSchema
      .optional()
      .meta({ description: 'Present while it is queued.' }),
  })
  .meta({
    id: 'RenderJobProgress',
    description: 'What a job that has not ended waits for; read from its workflow.',
  });

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
          'Warnings and errors of the page in `logs`, such as `console_error`, `request_failed`, `glyph_missing` and `content_cut`; present once the job has succeeded.',
        examples: [0],
      }),
    receipt: receiptSchema.optional(),
  })
  .meta({ id: 'RenderJobAnswer' });

export const acceptedRenderJobAnswer = z
  .strictObject({
    accepted: z.literal(true),
    queue: z.string().meta({ description: 'Name of the queue on which the job waits.' }),
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
export type Receipt = z.infer<typeof receiptSchema>;
export type CreateRenderJobBody = z.output<typeof createRenderJobBody>;
export type RenderJob = z.infer<typeof renderJobSchema>;
export type RenderJobOutput = z.infer<typeof outputSchema>;
export type ManagedPdfSummary = z.infer<typeof pdfSummarySchema>;
export type AttemptUsage = z.infer<typeof attemptUsageSchema>;
export type JobLogEntry = z.infer<typeof jobLogEntrySchema>;
export type QueuePosition = z.infer<typeof queuePositionSchema>;
export type JobProgress = z.infer<typeof jobProgressSchema>;
export type RenderJobAnswer = z.infer<typeof renderJobAnswer>;
