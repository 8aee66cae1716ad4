import { z } from 'zod';
import { accessSchema } from './links.ts';
import { outputSchema } from './outputs.ts';
import { pdfSummarySchema } from './pdfs.ts';
import { renderJobSchema } from './render-jobs.ts';

/** What the receiver of a webhook gets (REST 6). */

export const webhookEventType = 'render_job.terminated';

/** The body of a delivery. The envelope is that of Standard Webhooks 1.0, its data that of this contract. */
export const webhookEventSchema = z
  .strictObject({
    type: z.literal(webhookEventType),
    timestamp: z.iso.datetime().meta({ description: 'When the job ended, as ISO 8601.' }),
    test: z
      .literal(true)
      .optional()
      .meta({ description: 'Sent on demand: the job is made up, and does not exist.' }),
    data: z.strictObject({
      job: renderJobSchema,
      output: outputSchema.optional(),
      pdf: pdfSummarySchema.optional(),
      access: z.strictObject({ download: accessSchema, preview: accessSchema }).optional().meta({
        description: 'Links made for this attempt; present while the output is available.',
      }),
    }),
  })
  .meta({ id: 'WebhookEvent', description: 'The body of a webhook.' });

export type WebhookEvent = z.infer<typeof webhookEventSchema>;
