import type { AttemptUsage } from '../../contracts/rest/schemas/attempt-usage.ts';
import type { RenderJob } from '../../contracts/rest/schemas/render-jobs.ts';

export interface AttemptRow {
  readonly claimedAt: number;
  readonly finishedAt: number | null;
  readonly browserMs: number | null;
  readonly chargedMs: number;
}

/**
 * Sums the usage of all attempts of an ended job (REST 2.9). An attempt whose worker was lost counts as 0.
 *
 * @returns null while the job has not ended
 */
export function toAttemptUsage(
  job: RenderJob,
  queueWaitMs: number,
  attempts: readonly AttemptRow[],
): AttemptUsage | null {
  if (job.finishedAt === undefined) return null;
  const sum = (usageOf: (attempt: AttemptRow) => number) =>
    attempts.reduce((total, attempt) => total + usageOf(attempt), 0);
  return {
    activeRunMs: sum((attempt) => (attempt.finishedAt ?? attempt.claimedAt) - attempt.claimedAt),
    billableRenderMs: sum((attempt) => attempt.chargedMs),
    browserMs: sum((attempt) => attempt.browserMs ?? 0),
    queueWaitMs,
    turnaroundMs: job.finishedAt - job.requestedAt,
    browserMsSource: 'browser_lifecycle',
  };
}
