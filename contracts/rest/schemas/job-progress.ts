import { z } from 'zod';
import { timestamp } from '../../fields.ts';

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

export type QueuePosition = z.infer<typeof queuePositionSchema>;
export type JobProgress = z.infer<typeof jobProgressSchema>;
