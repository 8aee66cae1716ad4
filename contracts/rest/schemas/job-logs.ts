import { z } from 'zod';
import { exampleTime, timestamp } from '../../fields.ts';
import { logLevelSchema, logStageSchema } from '../../logs.ts';

/** REST 2.10 */
export const jobLogEntrySchema = z
  .strictObject({
    createdAt: timestamp,
    attempt: z.int().nonnegative(),
    workflowAttempt: z.int().nonnegative().meta({
      description: 'Also counts retries after a failure of the service.',
    }),
    level: logLevelSchema,
    stage: logStageSchema,
    message: z.string(),
    workflowStep: z.string().optional(),
    code: z
      .string()
      .optional()
      .meta({ description: 'Kind of the entry, such as `console_error`.' }),
  })
  .meta({
    id: 'JobLogEntry',
    description: 'An event while the job ran.',
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

export type JobLogEntry = z.infer<typeof jobLogEntrySchema>;
