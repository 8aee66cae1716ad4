import { z } from 'zod';
import { jobErrorCodes } from '../errors.ts';
import { businessKey, milliseconds, timestamp } from '../fields.ts';
import { maxListLimit } from '../limits.ts';
import { errorBodySchema } from '../rest/schemas/errors.ts';
import { renderJobAnswer, renderJobSchema } from '../rest/schemas/render-jobs.ts';
import { renderJobStatusSchema } from '../states.ts';

/** Render jobs in the admin router. */

/** Filter for jobs. A job must match all fields that are set. */
export const jobFilter = z.object({
  deployId: z.string().optional(),
  status: renderJobStatusSchema.optional(),
  businessKey: businessKey.optional(),
  errorCode: z.enum(jobErrorCodes).optional(),
  /** Range of `requestedAt` in Unix ms: from `requestedFrom`, included, to `requestedBefore`, excluded. */
  requestedFrom: timestamp.optional(),
  requestedBefore: timestamp.optional(),
});
export type JobFilter = z.infer<typeof jobFilter>;

/** Largest number of jobs that one call can render again. */
export const maxReruns = maxListLimit;

/** Number of jobs in each state. */
export const jobCounts = z.record(renderJobStatusSchema, z.int().nonnegative());
export type JobCounts = z.infer<typeof jobCounts>;

/** Numbers of jobs that were requested on one day (UTC). A range has an entry for each day, also for days without jobs. */
export const jobDaySchema = z.strictObject({
  day: z.iso.date(),
  succeeded: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  canceled: z.int().nonnegative(),
  /** Jobs that have not ended yet. */
  open: z.int().nonnegative(),
});
export type JobDay = z.infer<typeof jobDaySchema>;

/**
 * One workflow attempt, for a timeline. Two workflow attempts have the same `attempt` if the first one was not charged, for
 * example because its worker was lost. The job waited from `queuedAt`, and a worker had it from `claimedAt` to `finishedAt`. The
 * worker loaded the document, waited until the page was ready, printed it and stored the PDF. Each step has its time in ms, or is
 * absent if the attempt did not reach it.
 */
export const jobAttemptSchema = z.strictObject({
  attempt: z.int().nonnegative(),
  workflowAttempt: z.int().positive(),
  queuedAt: timestamp,
  claimedAt: timestamp,
  finishedAt: timestamp.optional(),
  loadMs: milliseconds.optional(),
  readyMs: milliseconds.optional(),
  printMs: milliseconds.optional(),
  storeMs: milliseconds.optional(),
  browserMs: milliseconds.optional(),
  /** `succeeded`, an error code, `canceled`, or `interrupted` (for a reason on our side). Absent while the attempt runs and if its worker was lost. */
  outcome: z.string().optional(),
  message: z.string().optional(),
});
export type JobAttempt = z.infer<typeof jobAttemptSchema>;

/** Result for one of the jobs that a call renders again: the new job in `job`, or `error`. `jobId` is the earlier job. */
export const rerunResultSchema = z.strictObject({
  jobId: z.string(),
  job: renderJobSchema.optional(),
  error: errorBodySchema.optional(),
});
export type RerunResult = z.infer<typeof rerunResultSchema>;

/** Everything about a job, with its attempts and its workflow. */
export const jobDetails = renderJobAnswer.extend({
  attempts: z.array(jobAttemptSchema),
  workflow: z.strictObject({
    id: z.string(),
    /** Address in the Temporal UI. Absent if the address of the UI is not configured. */
    url: z.url().optional(),
  }),
});
