import type { JobAttempt, JobCounts, JobDay, JobFilter } from '../../contracts/admin/jobs.ts';
import { usageDayOf } from '../../contracts/bill-period.ts';
import type { RenderJob } from '../../contracts/rest/schemas/render-jobs.ts';
import { renderJobStatusSchema, terminalRenderJobStatuses } from '../../contracts/states.ts';
import { dayMs } from '../../contracts/units.ts';
import { clausesFor } from '../database/clauses.ts';
import type { Queryable, Sql } from '../database/connection.ts';
import {
  type Cursors,
  type Page,
  type PageRequest,
  type Position,
  readPage,
  timePosition,
} from '../database/cursors.ts';
import { type Nullable, omitNulls } from '../database/rows.ts';
import { type StoredJobRow, selectJob, toStoredJob } from './render-job-answers.ts';

/** The search of jobs. Each filter has an index that also has the order of the answer: `render_jobs_search` and its likes. */

const matches = (sql: Queryable, workspaceId: string, filter: JobFilter) => {
  const given = clausesFor(sql);
  return sql`
    j.workspace_id = ${workspaceId}
    ${given(filter.deployId, (id) => sql`and j.deploy_id = ${id}`)}
    ${given(filter.status, (status) => sql`and j.status = ${status}`)}
    ${given(filter.businessKey, (key) => sql`and j.business_key = ${key}`)}
    ${given(filter.errorCode, (code) => sql`and j.error_code = ${code}`)}
    ${given(filter.requestedFrom, (time) => sql`and j.requested_at >= ${time}`)}
    ${given(filter.requestedBefore, (time) => sql`and j.requested_at < ${time}`)}`;
};

/** The statement of a search, by itself, so that a test can have its plan explained. */
export function selectMatchingJobs(
  sql: Queryable,
  workspaceId: string,
  { after, limit, ...filter }: JobFilter & Position,
) {
  const last = timePosition.parse(after);
  return sql<StoredJobRow[]>`
    ${selectJob(sql)} where ${matches(sql, workspaceId, filter)}
      ${clausesFor(sql)(last, ({ at, id }) => sql`and (j.requested_at, j.id) < (${at}, ${id})`)}
    order by j.requested_at desc, j.id desc limit ${limit}`;
}

/** Jobs of a workspace that match, newest first. */
export function searchJobs(
  sql: Sql,
  cursors: Cursors,
  workspaceId: string,
  { cursor, limit, ...filter }: JobFilter & PageRequest,
): Promise<Page<RenderJob>> {
  const list = `job-search ${workspaceId} ${JSON.stringify(filter, Object.keys(filter).sort())}`;
  return readPage(
    cursors,
    list,
    { cursor, limit },
    {
      read: (position) => selectMatchingJobs(sql, workspaceId, { ...filter, ...position }),
      toItem: (row) => toStoredJob(row).job,
      toPosition: ({ requestedAt, id }) => timePosition.format(requestedAt, id),
    },
  );
}

/** How many jobs that match are in each state. */
export async function countJobs(
  sql: Queryable,
  workspaceId: string,
  filter: JobFilter,
): Promise<JobCounts> {
  const rows = await sql<{ status: keyof JobCounts; count: number }[]>`
    select j.status, count(*)::int as count from render_jobs j
    where ${matches(sql, workspaceId, filter)} group by j.status`;
  const none = renderJobStatusSchema.options.map((status) => [status, 0] as const);
  return Object.fromEntries([
    ...none,
    ...rows.map(({ status, count }) => [status, count]),
  ]) as JobCounts;
}

/** Jobs of each of the last days, today included, by the day (UTC) of their request. */
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
  const none = { succeeded: 0, failed: 0, canceled: 0, open: 0 };
  return Array.from({ length: days }, (_, index) => ({
    day: usageDayOf((first + index) * dayMs),
    ...(byDay.get(first + index) ?? none),
  }));
}

/** The attempts of a job, first to last. The caller has checked that the job is the workspace's. */
export async function listJobAttempts(sql: Queryable, jobId: string): Promise<JobAttempt[]> {
  const rows = await sql<Nullable<JobAttempt>[]>`
    select attempt, workflow_attempt, queued_at, claimed_at, finished_at, load_ms, ready_ms, print_ms, store_ms, browser_ms,
      outcome, message
    from render_attempts where job_id = ${jobId} order by workflow_attempt`;
  return rows.map((row) => omitNulls(row));
}
