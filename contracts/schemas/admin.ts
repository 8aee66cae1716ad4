import { z } from 'zod';
import { jobErrorCodes } from '../errors.ts';
import { defaultListLimit, maxListLimit } from '../limits.ts';
import { renderJobStatusSchema } from '../states.ts';
import { businessKey, bytes, cursor, milliseconds, mime, sha256, timestamp } from './common.ts';
import { renderJobAnswer, renderJobSchema } from './render-jobs.ts';

/** Shapes of the admin router that the REST contract does not have. What both have, both take from one schema. */

/** As a page of a REST list, but in JSON: the limit is a number. */
export const pageInput = z.object({
  cursor: cursor.optional(),
  limit: z.int().min(1).max(maxListLimit).default(defaultListLimit),
});

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

/** Which managed PDFs; what is left out does not narrow. */
export const pdfFilter = z.object({
  deployId: z.string().optional(),
  businessKey: businessKey.optional(),
  createdAfter: timestamp.optional(),
  createdBefore: timestamp.optional(),
});

export const jobSearchAnswer = z.strictObject({
  items: z.array(renderJobSchema),
  nextCursor: z.string().optional(),
});

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

export const jobDetails = renderJobAnswer.extend({
  attempts: z.array(jobAttemptSchema),
  workflow: z.strictObject({
    id: z.string(),
    /** In the Temporal UI, where its address is configured. */
    url: z.url().optional(),
  }),
});

export const versionFileSchema = z.strictObject({
  path: z.string(),
  size: bytes,
  /** As it was given, else by its name. */
  mime,
  sha256,
});
export type VersionFile = z.infer<typeof versionFileSchema>;

/** Jobs of one workspace that wait for a worker. */
export const queueStandingSchema = z.strictObject({
  workspaceId: z.string(),
  workspaceName: z.string(),
  /** Under the ceiling of the plan, and waiting for a browser. */
  admitted: z.int().nonnegative(),
  /** Waiting for a place under the ceiling. */
  notAdmitted: z.int().nonnegative(),
  rendering: z.int().nonnegative(),
  oldestQueuedAt: timestamp.optional(),
});
export type QueueStanding = z.infer<typeof queueStandingSchema>;

/** A task queue as Temporal knows it. */
export const taskQueueStandingSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['workflow', 'activity']),
  /** Tasks that no worker has taken yet. */
  backlog: z.int().nonnegative(),
  backlogAgeMs: milliseconds,
  workers: z.array(
    z.strictObject({
      identity: z.string(),
      lastSeenAt: timestamp,
      slots: z.int().positive().optional(),
      browsers: z.int().positive().optional(),
    }),
  ),
});
export type TaskQueueStanding = z.infer<typeof taskQueueStandingSchema>;
