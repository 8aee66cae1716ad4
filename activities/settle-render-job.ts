import { errors } from '../contracts/errors.ts';
import type { JobStanding, SettleRenderJobInput } from '../contracts/workflows.ts';
import { getAttemptMessage } from '../store/jobs/render-attempts.ts';
import {
  failRenderJob,
  getJobStanding,
  requeueRenderJob,
  scheduleRetry,
  stopRenderJob,
} from '../store/jobs/render-job-transitions.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** The steps of a job that does not simply succeed. Each can be called again: it then returns what was recorded. */
export const createSettleRenderJob = ({
  store: { sql },
  plans,
  wakeRelay,
}: Omit<ActivityDependencies, 'renderer' | 'documents'>) => ({
  /** `rendering → failed | retry_scheduled`, as the workflow decided, or `→ canceled` when it was canceled. */
  async settleRenderJob(input: SettleRenderJobInput): Promise<JobStanding> {
    const now = Date.now();
    const { jobId, workspaceId, decision } = input;
    if (decision.kind === 'stop') await stopRenderJob(sql, plans, { jobId, workspaceId, now });
    else if (decision.kind === 'give_up') {
      const failure = { code: decision.code, message: errors[decision.code].message };
      await failRenderJob(sql, plans, { jobId, workspaceId, failure, now });
    } else {
      const { code, workflowAttempt } = decision;
      const message =
        (await getAttemptMessage(sql, { jobId, workflowAttempt })) ?? errors[code].message;
      const settled = { jobId, workflowAttempt, failure: { code, message }, now };
      if (decision.kind === 'retry')
        await scheduleRetry(sql, { ...settled, retryAt: now + decision.delayMs });
      else await failRenderJob(sql, plans, { ...settled, workspaceId });
    }
    wakeRelay();
    return getJobStanding(sql, jobId);
  },

  /** `retry_scheduled → queued`, as the next attempt. */
  async requeueRenderJob({ jobId }: { jobId: string }): Promise<JobStanding> {
    await requeueRenderJob(sql, { jobId, now: Date.now() });
    return getJobStanding(sql, jobId);
  },
});
