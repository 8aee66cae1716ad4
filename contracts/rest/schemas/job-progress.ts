import { z } from 'zod';
import { timestamp } from '../../fields.ts';

const waitingForSchema = z.enum(['admission', 'browser', 'retry']);

const queuePositionSchema = z
  .strictObject({
    ahead: z.int().nonnegative().meta({
      description: 'Number of queued jobs of the workspace before this one, counted up to 10,000.',
    }),
    expectedStartAt: timestamp.optional().meta({
      description: 'Estimate from the latest jobs, Unix ms. Absent if there are none.',
    }),
  })
  .meta({ id: 'QueuePosition' });

/** The reason why a job that has not ended waits, and since when. An addition to the contract. */
export const jobProgressSchema = z
  .strictObject({
    waitingFor: waitingForSchema.optional().meta({ description: 'Absent while the job renders.' }),
    since: timestamp,
    retryAt: timestamp.optional(),
    queuePosition: queuePositionSchema
      .optional()
      .meta({ description: 'Present while the job is queued.' }),
  })
  .meta({
    id: 'RenderJobProgress',
    description: 'What the job waits for, read from its workflow. Present until the job has ended.',
  });

export type QueuePosition = z.infer<typeof queuePositionSchema>;
export type JobProgress = z.infer<typeof jobProgressSchema>;
