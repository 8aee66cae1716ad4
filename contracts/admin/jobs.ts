import { z } from 'zod';
import { jobErrorCodes } from '../errors.ts';
import { businessKey, milliseconds, timestamp } from '../fields.ts';
import { maxListLimit } from '../limits.ts';
import { errorBodySchema } from '../rest/schemas/errors.ts';
import { renderJobAnswer, renderJobSchema } from '../rest/schemas/render-jobs.ts';
import { renderJobStatusSchema } from '../states.ts';

/** Render jobs as the admin router shows them. */

/** Which jobs; what is left out does not narrow. */
export const jobFilter = z.object({
  deployId: z.string().optional(),
  status: renderJobStatusSchema.optional(),
  businessKey: businessKey.optional(),
  errorCode: z.enum(jobErrorCodes).optional(),
  /** From then on, and until before then: Unix ms, of `requestedAt`. */
  requestedFrom: timestamp.optional(),
  requestedBefore: timestamp.optional(),
});
export type JobFilter = z.infer<typeof jobFilter>;

/** Jobs that are rendered again in one call. */
export const maxReruns = maxListLimit;

/** How many jobs are in each state. */
export const jobCounts = z.record(renderJobStatusSchema, z.int().nonnegative());
export type JobCounts = z.infer<typeof jobCounts>;

/** Jobs by the day of their request, in UTC; each day of the range, also those without any. */
export const jobDaySchema = z.strictObject({
  day: z.iso.date(),
  succeeded: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  canceled: z.int().nonnegative(),
  /** Not ended yet. */
  open: z.int().nonnegative(),
});
export type JobDay = z.infer<typeof jobDaySchema>;

/**
 * One attempt, for a timeline: it waited from `queuedAt`, a worker had it from `claimedAt` to `finishedAt`, and in between it
 * loaded the package, waited until the page was ready, printed and stored, each in ms; a step that it did not reach is absent.
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
  /** `succeeded`, or the code of what ended it; absent while it runs, or when its worker was lost. */
  outcome: z.string().optional(),
  message: z.string().optional(),
});
export type JobAttempt = z.infer<typeof jobAttemptSchema>;

/** What became of one job of a call that renders several again: a new job or an error, with a code of the catalogue. */
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
    /** In the Temporal UI, where its address is configured. */
    url: z.url().optional(),
  }),
});
