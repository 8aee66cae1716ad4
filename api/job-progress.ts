import type { RenderJobAnswer } from '../contracts/schemas/render-jobs.ts';
import { isTerminal } from '../contracts/states.ts';
import type { ApiContext } from './context.ts';

/** Status and times are the row's; what a waiting job waits for, only its workflow knows (REST 4.3, field `progress`). */
export async function withProgress(
  { progress }: Pick<ApiContext, 'progress'>,
  answer: RenderJobAnswer,
): Promise<RenderJobAnswer> {
  const { id, status, startedAt } = answer.job;
  if (isTerminal(status)) return answer;
  if (status === 'rendering')
    return { ...answer, ...(startedAt && { progress: { since: startedAt } }) };
  const known = await progress.read(id);
  // The workflow may be a step behind the row: what contradicts the status is left out.
  const agrees = (known?.waitingFor === 'retry') === (status === 'retry_scheduled');
  return known && agrees ? { ...answer, progress: known } : answer;
}
