import { errors } from '../contracts/errors.ts';
import type {
  JobSnapshot,
  PostponeRenderJobInput,
  SettleRenderJobInput,
} from '../contracts/processes/workflows.ts';
import { failRenderJob, stopRenderJob } from '../store/jobs/end-render-job.ts';
import { getAttemptMessage } from '../store/jobs/render-attempts.ts';
import { getJobSnapshot } from '../store/jobs/render-jobs.ts';
import {
  postponeRenderJob,
  requeueRenderJob,
  scheduleRetry,
} from '../store/jobs/retry-render-job.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** REST 7 has no code for an outage on our side. The job gets the least specific code, and this message explains it. */
const abandonedMessage =
  'The job could not be rendered for a day, for a reason on our side, and nothing is charged. Create it again; if that fails too, tell us the id of the job.';

/** The steps of a job that did not succeed at its first attempt. Each is idempotent: called again, it returns the recorded state. */
export const createSettleRenderJob = ({
  store: { sql },
  plans,
  wakeRelay,
}: Omit<ActivityDependencies, 'renderer' | 'documents'>) => ({
  /** `→ failed | retry_scheduled`, as the workflow decided after a failure, or `→ canceled` when the workflow was canceled. */
  async settleRenderJob(input: SettleRenderJobInput): Promise<JobSnapshot> {
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
    return getJobSnapshot(sql, jobId);
  },

  /** `queued | rendering → retry_scheduled`, because of an outage on our side. */
  async postponeRenderJob({
    jobId,
    delayMs,
    begins,
  }: PostponeRenderJobInput): Promise<JobSnapshot> {
    const now = Date.now();
    await postponeRenderJob(sql, { jobId, retryAt: now + delayMs, shouldLog: begins, now });
    return getJobSnapshot(sql, jobId);
  },

  /** `→ failed`, because an outage on our side has lasted too long. Nothing is charged, and the message does not blame the document. */
  async abandonRenderJob({
    jobId,
    workspaceId,
  }: {
    jobId: string;
    workspaceId: string;
  }): Promise<JobSnapshot> {
    const failure = { code: 'render_failed', message: abandonedMessage } as const;
    const now = Date.now();
    await failRenderJob(sql, plans, { jobId, workspaceId, failure, uncharged: true, now });
    wakeRelay();
    return getJobSnapshot(sql, jobId);
  },

  /** `retry_scheduled → queued`. The attempt number of the job increases if the previous attempt was charged. */
  async requeueRenderJob({ jobId }: { jobId: string }): Promise<JobSnapshot> {
    await requeueRenderJob(sql, { jobId, now: Date.now() });
    return getJobSnapshot(sql, jobId);
  },
});
