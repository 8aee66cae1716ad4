import type { JobCounts, JobDay, JobFilter } from '../../contracts/admin/jobs.ts';
import { usageDayOf } from '../../contracts/bill-period.ts';
import { renderJobStatusSchema, terminalRenderJobStatuses } from '../../contracts/states.ts';
import { dayMs } from '../../contracts/units.ts';
import type { Queryable } from '../database/connection.ts';
import { matchesFilter } from './job-search.ts';

/** Counts the matching jobs by state. A state without jobs counts 0. */
export async function countJobs(
  sql: Queryable,
  workspaceId: string,
  filter: JobFilter,
): Promise<JobCounts> {
  const rows = await sql<{ status: keyof JobCounts; count: number }[]>`
    select j.status, count(*)::int as count from render_jobs j
    where ${matchesFilter(sql, workspaceId, filter)} group by j.status`;
  const zeros = renderJobStatusSchema.options.map((status) => [status, 0] as const);
  return Object.fromEntries([
    ...zeros,
    ...rows.map(({ status, count }) => [status, count]),
  ]) as JobCounts;
}

/** Counts the jobs of each of the last days, including today, by the day (UTC) of their request. */
export async function countJobsByDay(
  sql: Queryable,
  workspaceId: string,
  { days, now }: { days: number; now: number },
): Promise<JobDay[]> {
  const today = Math.floor(now / dayMs);
  const first = today - days + 1;
  const rows = await sql<(Omit<JobDay, 'day'> & { dayNo: number })[]>`
    select (requested_at / ${dayMs})::int as day_no,
      count(*) filter (where status = 'succeeded')::int as succeeded,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'canceled')::int as canceled,
      count(*) filter (where status not in ${sql(terminalRenderJobStatuses)})::int as open
    from render_jobs
    where workspace_id = ${workspaceId} and requested_at >= ${first * dayMs}
    group by day_no`;
  const byDay = new Map(rows.map(({ dayNo, ...counts }) => [dayNo, counts]));
  const zeros = { succeeded: 0, failed: 0, canceled: 0, open: 0 };
  return Array.from({ length: days }, (_, index) => ({
    day: usageDayOf((first + index) * dayMs),
    ...(byDay.get(first + index) ?? zeros),
  }));
}
