import type { QueuePosition } from '../../contracts/rest/schemas/job-progress.ts';
import type { Queryable } from '../database/connection.ts';

/** The duration of the next job is estimated from this many of the latest ended jobs. */
const sampledJobs = 20;

/** The count of jobs ahead stops at this number, because each poll of a queued job counts again. */
const maxCounted = 10_000;

/** Progress of a queued job. */
interface QueuedProgress {
  /** When the job started to wait, Unix ms. */
  readonly since: number;
  readonly queuePosition: QueuePosition;
}

/**
 * Counts the jobs of the same workspace that are ahead of a queued job, and estimates when it starts. The estimate assumes
 * that jobs take as long as the latest ones did, and that as many render at once as now. The load of other workspaces is not
 * included until it slows the jobs of this one down.
 *
 * @returns undefined when the job is not queued
 */
export async function getQueuedProgress(
  sql: Queryable,
  job: { workspaceId: string; jobId: string; now: number },
): Promise<QueuedProgress | undefined> {
  const { workspaceId, jobId, now } = job;
  const [row] = await sql<
    { since: number; ahead: number; rendering: number; meanMs: number | null }[]
  >`
    select queued_at as since,
      (select count(*)::int from (
        select from render_jobs o where o.workspace_id = j.workspace_id and o.status = 'queued' and o.id < j.id
        limit ${maxCounted}) before) as ahead,
      (select count(*)::int from render_jobs o where o.workspace_id = j.workspace_id and o.status = 'rendering') as rendering,
      (select avg(finished_at - started_at)::float8 from (
        select finished_at, started_at from render_jobs o
        where o.workspace_id = j.workspace_id and o.started_at is not null and o.finished_at is not null
        order by o.finished_at desc limit ${sampledJobs}) latest) as mean_ms
    from render_jobs j where id = ${jobId} and workspace_id = ${workspaceId} and status = 'queued'`;
  if (!row) return undefined;
  const { since, ahead, rendering, meanMs } = row;
  const waitMs = meanMs === null ? undefined : (meanMs * (ahead + 1)) / Math.max(1, rendering);
  return {
    since,
    queuePosition: {
      ahead,
      ...(waitMs !== undefined && { expectedStartAt: Math.round(now + waitMs) }),
    },
  };
}
