import { z } from 'zod';
import { accessSchema } from './links.ts';
import { outputSchema } from './outputs.ts';
import { pdfSummarySchema } from './pdfs.ts';
import { renderJobSchema } from './render-jobs.ts';

/** The request that we send to a webhook endpoint (REST 6). */

export const webhookEventType = 'render_job.terminated';

/** Body of a webhook. Standard Webhooks 1.0 defines the envelope, this contract the data. */
export const webhookEventSchema = z
  .strictObject({
    type: z.literal(webhookEventType),
    timestamp: z.iso.datetime().meta({ description: 'Time when the job ended, as ISO 8601.' }),
    test: z
      .literal(true)
      .optional()
      .meta({ description: 'Present if the webhook was sent as a test. The job does not exist.' }),
    data: z.strictObject({
      job: renderJobSchema,
      output: outputSchema.optional(),
      pdf: pdfSummarySchema.optional(),
      access: z.strictObject({ download: accessSchema, preview: accessSchema }).optional().meta({
        description:
          'Links that were made for this attempt. Present while the output is available.',
      }),
    }),
  })
  .meta({ id: 'WebhookEvent', description: 'The body of a webhook.' });

export type WebhookEvent = z.infer<typeof webhookEventSchema>;
