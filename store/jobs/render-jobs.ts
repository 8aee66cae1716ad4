import { ServiceError } from '../../contracts/errors.ts';
import type { JobSnapshot } from '../../contracts/processes/workflows.ts';
import type { Receipt } from '../../contracts/rest/schemas/receipts.ts';
import type { RenderJob } from '../../contracts/rest/schemas/render-jobs.ts';
import type { Queryable, Sql } from '../database/connection.ts';
import { type Nullable, omitNulls } from '../database/rows.ts';

/** Reads the rows of render jobs. */

type RenderJobRow = Nullable<RenderJob>;

export type StoredJobRow = RenderJobRow & Omit<StoredRenderJob, 'job'>;

export const selectJob = (sql: Queryable) => sql`
  select j.id, j.deploy_id, j.deploy_version_id, v.version_no as deploy_version_no, v.route as deploy_version_route,
    v.title as deploy_version_title, j.business_key, j.payload_hash, j.status, j.attempt, j.requested_at, j.started_at,
    j.finished_at, j.error_code, j.error_message, j.output_mode, j.receipt, j.target_url, j.queue_wait_ms
  from render_jobs j left join deploy_versions v on v.id = j.deploy_version_id`;

/** A job's row: the job as clients see it, and the columns that they do not see. */
interface StoredRenderJob {
  readonly job: RenderJob;
  readonly receipt: Receipt | null;
  /** The target of a url deploy when the job was created; null for a managed deploy. */
  readonly targetUrl: string | null;
  /** How long the job waited before its attempts and, if it ended while it waited, after the last one. */
  readonly queueWaitMs: number;
}

export const toStoredJob = ({
  receipt,
  targetUrl,
  queueWaitMs,
  ...row
}: StoredJobRow): StoredRenderJob => ({
  job: omitNulls(row),
  receipt,
  targetUrl,
  queueWaitMs,
});

/** @throws ServiceError `render_job_not_found` */
export async function getStoredRenderJob(
  sql: Queryable,
  workspaceId: string,
  jobId: string,
): Promise<StoredRenderJob> {
  const [row] = await sql<
    StoredJobRow[]
  >`${selectJob(sql)} where j.id = ${jobId} and j.workspace_id = ${workspaceId}`;
  if (!row) throw new ServiceError('render_job_not_found');
  return toStoredJob(row);
}

/** @throws ServiceError `render_job_not_found` */
export const getRenderJob = async (
  sql: Queryable,
  workspaceId: string,
  jobId: string,
): Promise<RenderJob> => (await getStoredRenderJob(sql, workspaceId, jobId)).job;

/** Reads the state of a job for its workflow. */
export async function getJobSnapshot(sql: Sql, jobId: string): Promise<JobSnapshot> {
  const [row] = await sql<JobSnapshot[]>`
    select status, attempt, retry_at, error_code from render_jobs where id = ${jobId}`;
  if (!row) throw new Error(`Job ${jobId} does not exist.`);
  return row;
}
