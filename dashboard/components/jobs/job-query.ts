import type { z } from 'zod';
import type { JobCounts, jobDetails } from '../../../contracts/admin/jobs.ts';
import type { RenderJob } from '../../../contracts/rest/schemas/render-jobs.ts';
import { isTerminal, renderJobStatusSchema } from '../../../contracts/states.ts';
import { admin } from '../../admin.ts';

export type JobDetails = z.infer<typeof jobDetails>;

export const isOpen = ({ status }: RenderJob): boolean => !isTerminal(status);

/** Refetches often enough to show each state: rendering an invoice takes a third of a second. */
const openJobMs = 1_000;

/** Reads a job, and refetches it until it has ended. */
export const jobQuery = (workspaceId: string, jobId: string) =>
  admin.jobs.get.queryOptions(
    { workspaceId, jobId },
    {
      refetchInterval: ({ state: { data } }) => (data && isOpen(data.job) ? openJobMs : false),
    },
  );

/** Refetch intervals of a list: while a job in it has not ended, and otherwise, to find new jobs. */
const openListMs = 2_000;
const idleListMs = 15_000;

export const listInterval = (jobs: readonly RenderJob[] | undefined): number =>
  jobs?.some(isOpen) ? openListMs : idleListMs;

/** The refetch interval of the counts beside a list. */
export const countsInterval = (counts: JobCounts | undefined): number =>
  counts && renderJobStatusSchema.options.some((status) => !isTerminal(status) && counts[status])
    ? openListMs
    : idleListMs;

/** Milliseconds from the request to the end of a job. Undefined before the end. */
export const turnaroundOf = ({ requestedAt, finishedAt }: RenderJob): number | undefined =>
  finishedAt && finishedAt - requestedAt;
