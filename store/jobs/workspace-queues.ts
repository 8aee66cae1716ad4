import type { WorkspaceQueue } from '../../contracts/admin/queue.ts';
import { clausesFor } from '../database/clauses.ts';
import type { Queryable } from '../database/connection.ts';
import { type Nullable, omitNulls } from '../database/rows.ts';

/**
 * Lists the workspaces with open jobs. The one whose oldest queued job waits longest is first. With `workspaceId`, only that
 * workspace is listed.
 */
export async function listWorkspaceQueues(
  sql: Queryable,
  workspaceId?: string,
): Promise<WorkspaceQueue[]> {
  const rows = await sql<Nullable<WorkspaceQueue>[]>`
    select j.workspace_id, w.name as workspace_name,
      count(*) filter (where j.status <> 'rendering' and j.admitted_at is not null)::int as admitted,
      count(*) filter (where j.status <> 'rendering' and j.admitted_at is null)::int as not_admitted,
      count(*) filter (where j.status = 'rendering')::int as rendering,
      min(j.queued_at) filter (where j.status = 'queued') as oldest_queued_at
    from render_jobs j join workspaces w on w.id = j.workspace_id
    where j.finished_at is null ${clausesFor(sql)(workspaceId, (id) => sql`and j.workspace_id = ${id}`)}
    group by j.workspace_id, w.name order by oldest_queued_at nulls last`;
  return rows.map((row) => omitNulls(row));
}
