import { expect } from 'chai';
import type { Fragment } from 'postgres';
import type { Sql } from '../../store/database/connection.ts';
import { noon, type TestDocument } from './store-fixture.ts';

/** A workspace with many jobs, and the limit for queries of its lists. */

export const jobCount = 10_000;
export const maxQueryMs = 50;
export const minuteMs = 60_000;

/**
 * Inserts jobs a minute apart in one statement. Every hundredth is queued, every other tenth has failed, and all others have
 * succeeded.
 */
export const fillJobs = (sql: Sql, { workspace, deployId, deployVersionId }: TestDocument) => sql`
  insert into render_jobs (id, workspace_id, deploy_id, deploy_version_id, business_key, payload_hash, output_mode, status,
    render_timeout_ms, requested_at, queued_at, finished_at, error_code, request_id)
  select 'job_' || ${workspace.id} || lpad(n::text, 6, '0'), ${workspace.id}, ${deployId}, ${deployVersionId},
    'invoice-' || n % 1000, repeat('a', 64), 'transient', state, 30000, requested_at, requested_at,
    case when state <> 'queued' then requested_at + 1000 end,
    case when state = 'failed' then case when n % 20 = 0 then 'render_failed' else 'navigation_timeout' end end, 'test'
  from (
    select n, ${noon}::bigint + n * ${minuteMs}::bigint as requested_at,
      case when n % 100 = 0 then 'queued' when n % 10 = 0 then 'failed' else 'succeeded' end as state
    from generate_series(1, ${jobCount}) as n) as made`;

/** Inserts a managed PDF for each job that succeeded. */
export const fillPdfs = (sql: Sql, { workspace }: TestDocument) => sql`
  insert into pdfs (id, workspace_id, job_id, deploy_id, business_key, blob_key, file_name, bytes, page_count, sha256, created_at)
  select replace(id, 'job_', 'pdf_'), workspace_id, id, deploy_id, business_key, id, 'invoice.pdf', 40000, 1, repeat('a', 64),
    finished_at
  from render_jobs where workspace_id = ${workspace.id} and status = 'succeeded'`;

/** Checks that the database finds the rows with an index and within the time limit. */
export async function expectIndexed(sql: Sql, statement: Fragment): Promise<void> {
  const [row] = await sql`explain (analyze, format json) ${statement}`;
  const [plan] = Object.values(row ?? {}).flat() as { 'Execution Time': number }[];
  const text = JSON.stringify(plan);
  expect(text).to.match(/Index (Only )?Scan|Bitmap Index Scan/);
  expect(text).to.not.include('"Seq Scan"');
  // The primary key of `pdfs` is not used, because it would read rows of other workspaces.
  expect(text).to.not.include('_pkey","Relation Name":"pdfs"');
  expect(plan?.['Execution Time']).to.be.at.most(maxQueryMs);
}
