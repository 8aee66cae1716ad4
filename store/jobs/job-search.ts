import type { JobFilter } from '../../contracts/admin/jobs.ts';
import type { RenderJob } from '../../contracts/rest/schemas/render-jobs.ts';
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
import { type StoredJobRow, selectJob, toStoredJob } from './render-jobs.ts';

/**
 * Creates the SQL condition for the jobs `j` of a workspace that match a filter. Each filter has an index in the order of the
 * list: `render_jobs_search` and similar ones.
 */
export const matchesFilter = (sql: Queryable, workspaceId: string, filter: JobFilter) => {
  const ifDefined = clausesFor(sql);
  return sql`
    j.workspace_id = ${workspaceId}
    ${ifDefined(filter.deployId, (id) => sql`and j.deploy_id = ${id}`)}
    ${ifDefined(filter.status, (status) => sql`and j.status = ${status}`)}
    ${ifDefined(filter.businessKey, (key) => sql`and j.business_key = ${key}`)}
    ${ifDefined(filter.errorCode, (code) => sql`and j.error_code = ${code}`)}
    ${ifDefined(filter.requestedFrom, (time) => sql`and j.requested_at >= ${time}`)}
    ${ifDefined(filter.requestedBefore, (time) => sql`and j.requested_at < ${time}`)}`;
};

/** The statement of a search. It is separate so that a test can read its query plan. */
export function selectMatchingJobs(
  sql: Queryable,
  workspaceId: string,
  { after, limit, ...filter }: JobFilter & Position,
) {
  const last = timePosition.parse(after);
  return sql<StoredJobRow[]>`
    ${selectJob(sql)} where ${matchesFilter(sql, workspaceId, filter)}
      ${clausesFor(sql)(last, ({ at, id }) => sql`and (j.requested_at, j.id) < (${at}, ${id})`)}
    order by j.requested_at desc, j.id desc limit ${limit}`;
}

/** Lists the matching jobs of a workspace, newest first. */
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
