import type { RenderEvent } from '../../contracts/logs.ts';
import type { Queryable } from '../database/connection.ts';
import type { AttemptKey } from './claim-render-job.ts';

/** Adds entries to a job's log (REST 2.10). */
export const appendLogs = (
  sql: Queryable,
  { jobId, attempt, workflowAttempt }: AttemptKey,
  events: readonly (RenderEvent & { readonly workflowStep?: string })[],
) =>
  sql`insert into render_job_logs ${sql(
    events.map((event) => ({
      jobId,
      attempt,
      workflowAttempt,
      createdAt: event.createdAt,
      level: event.level,
      stage: event.stage,
      message: storableText(event.message),
      workflowStep: event.workflowStep ?? null,
      code: event.code ?? null,
    })),
  )}`;

/** Removes or replaces the characters that PostgreSQL cannot store, because a page may log any text. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();
