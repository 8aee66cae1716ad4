import type { RenderJobAnswer } from '../contracts/rest/schemas/render-jobs.ts';
import { isTerminal } from '../contracts/states.ts';
import { getQueuedProgress } from '../store/jobs/queue-position.ts';
import type { ApiContext } from './context.ts';

/**
 * Adds `progress` to the answer for a job that has not ended (REST 4.3). Status, times and queue position come from PostgreSQL.
 * Only the workflow knows what the job waits for.
 */
export async function withProgress(
  { progress, store }: Pick<ApiContext, 'progress' | 'store'>,
  workspaceId: string,
  answer: RenderJobAnswer,
): Promise<RenderJobAnswer> {
  const { id: jobId, status, startedAt } = answer.job;
  if (isTerminal(status)) return answer;
  if (status === 'rendering')
    return { ...answer, ...(startedAt && { progress: { since: startedAt } }) };
  const [known, queued] = await Promise.all([
    progress.read(jobId),
    status === 'queued'
      ? getQueuedProgress(store.sql, { workspaceId, jobId, now: Date.now() })
      : undefined,
  ]);
  // The workflow may be a step behind the row: its state is left out if it contradicts the status.
  const agrees = (known?.waitingFor === 'retry') === (status === 'retry_scheduled');
  const { since, ...rest } = { ...queued, ...(known && agrees && known) };
  return since === undefined ? answer : { ...answer, progress: { since, ...rest } };
}
