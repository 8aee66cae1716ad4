import { z } from 'zod';
import { milliseconds } from '../../fields.ts';

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

export type AttemptUsage = z.infer<typeof attemptUsageSchema>;
