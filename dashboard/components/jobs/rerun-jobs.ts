import { maxReruns } from '../../../contracts/admin/jobs.ts';
import type { RenderJob } from '../../../contracts/rest/schemas/render-jobs.ts';
import { client } from '../../admin.ts';
import { messageOf } from '../error-notice.tsx';

type Rerun = Parameters<typeof client.jobs.rerun.mutate>[0]['jobs'][number];

/** What became of a job that was to be rendered again: the new job, or why there is none. */
export interface RerunOutcome {
  readonly jobId: string;
  readonly job?: RenderJob;
  readonly error?: { readonly message: string };
}

/** As many at once as the API takes. A call that fails after others succeeded takes nothing from what they answered. */
export async function rerunJobs(
  workspaceId: string,
  jobs: readonly Rerun[],
): Promise<readonly RerunOutcome[]> {
  const outcomes: RerunOutcome[] = [];
  for (let start = 0; start < jobs.length; start += maxReruns) {
    const some = jobs.slice(start, start + maxReruns);
    try {
      outcomes.push(...(await client.jobs.rerun.mutate({ workspaceId, jobs: some })).items);
    } catch (error) {
      if (outcomes.length === 0) throw error;
      const message = messageOf(error);
      outcomes.push(...some.map(({ jobId }) => ({ jobId, error: { message } })));
    }
  }
  return outcomes;
}
