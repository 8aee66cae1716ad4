import type { z } from 'zod';
import type { JobCounts, jobDetails } from '../../../contracts/admin/jobs.ts';
import type { RenderJob } from '../../../contracts/rest/schemas/render-jobs.ts';
import { isTerminal, renderJobStatusSchema } from '../../../contracts/states.ts';
import { admin } from '../../admin.ts';

export type JobDetails = z.infer<typeof jobDetails>;

export const isOpen = ({ status }: RenderJob): boolean => !isTerminal(status);

/** The refetch interval of a job that has not ended. Rendering an invoice takes a third of a second, so a state can go unseen. */
const openJobRefetchMs = 1_000;

/** Reads a job, and refetches it until it has ended. */
export const jobQuery = (workspaceId: string, jobId: string) =>
  admin.jobs.get.queryOptions(
    { workspaceId, jobId },
    {
      refetchInterval: ({ state: { data } }) =>
        data && isOpen(data.job) ? openJobRefetchMs : false,
    },
  );

/** The refetch interval of a list in which a job has not ended, and of any other list, to find new jobs. */
const openListRefetchMs = 2_000;
const idleListRefetchMs = 15_000;

export const listInterval = (jobs: readonly RenderJob[] | undefined): number =>
  jobs?.some(isOpen) ? openListRefetchMs : idleListRefetchMs;

/** The refetch interval of the counts beside a list. */
export const countsInterval = (counts: JobCounts | undefined): number =>
  counts && renderJobStatusSchema.options.some((status) => !isTerminal(status) && counts[status])
    ? openListRefetchMs
    : idleListRefetchMs;

/** Milliseconds from the request to the end of a job. Undefined before the end. */
export const turnaroundOf = ({ requestedAt, finishedAt }: RenderJob): number | undefined =>
  finishedAt && finishedAt - requestedAt;
