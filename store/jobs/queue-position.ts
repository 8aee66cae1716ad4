import type { QueuePosition } from '../../contracts/rest/schemas/job-progress.ts';
import type { Queryable } from '../database/connection.ts';

/** Jobs that ended last, from which the duration of the next is estimated. */
const sampledJobs = 20;

/** More are not counted: each poll of a queued job counts again. */
const mostCounted = 10_000;

/** What is told of the progress of a queued job. */
interface QueuedProgress {
  /** Since when it waits, Unix ms. */
  readonly since: number;
  readonly queuePosition: QueuePosition;
}

/**
 * How many jobs of its workspace are ahead of a queued one, and when it can be expected to start: as long as the latest jobs
 * took, as many at once as render now. Other workspaces' load shows in neither until it slows those.
 *
 * @returns undefined when the job is not queued
 */
export async function getQueuePosition(
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
        limit ${mostCounted}) before) as ahead,
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
