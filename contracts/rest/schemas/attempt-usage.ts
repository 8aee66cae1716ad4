import { z } from 'zod';
import { milliseconds } from '../../fields.ts';

/** Times of a job, over all its attempts. The name `AttemptUsage` is from REST 2.9. */
export const attemptUsageSchema = z
  .strictObject({
    activeRunMs: milliseconds.meta({
      description: 'Time in which a worker had the job, in all attempts.',
    }),
    billableRenderMs: milliseconds.meta({
      description: 'Sum over all attempts of `browserMs`, each rounded up to 100 ms.',
    }),
    browserMs: milliseconds.meta({
      description: 'Time in which the job had a browser, in all attempts.',
    }),
    queueWaitMs: milliseconds.meta({
      description: 'Time in which the job waited: each time in the queue and before its retries.',
    }),
    turnaroundMs: milliseconds.meta({
      description: 'Time from the request to the end of the job.',
    }),
    browserMsSource: z.literal('browser_lifecycle'),
  })
  .meta({
    id: 'AttemptUsage',
    description: 'Times of a job.',
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

export type AttemptUsage = z.infer<typeof attemptUsageSchema>;
