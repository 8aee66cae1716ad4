import type { z } from 'zod';
import type { JobCounts, jobDetails } from '../../../contracts/admin/jobs.ts';
import type { RenderJob } from '../../../contracts/rest/schemas/render-jobs.ts';
import { isTerminal, renderJobStatusSchema } from '../../../contracts/states.ts';
import { admin } from '../../admin.ts';

export type JobDetails = z.infer<typeof jobDetails>;

export const isOpen = ({ status }: RenderJob): boolean => !isTerminal(status);

/** Often enough that a state is seen to change; an invoice takes a third of a second. */
const openJobMs = 1_000;

/** A job, asked for again until it has ended. */
export const jobQuery = (workspaceId: string, jobId: string) =>
  admin.jobs.get.queryOptions(
    { workspaceId, jobId },
    {
      refetchInterval: ({ state: { data } }) => (data && isOpen(data.job) ? openJobMs : false),
    },
  );

/** Of a list: while a job that is shown has not ended, and otherwise, for new ones. */
const openListMs = 2_000;
const calmListMs = 15_000;

export const listInterval = (jobs: readonly RenderJob[] | undefined): number =>
  jobs?.some(isOpen) ? openListMs : calmListMs;

/** Of the counts beside a list: until they too say that all have ended. */
export const countsInterval = (counts: JobCounts | undefined): number =>
  counts && renderJobStatusSchema.options.some((status) => !isTerminal(status) && counts[status])
    ? openListMs
    : calmListMs;

/** From its request to its end; undefined while it has none. */
export const turnaroundOf = ({ requestedAt, finishedAt }: RenderJob): number | undefined =>
  finishedAt && finishedAt - requestedAt;
