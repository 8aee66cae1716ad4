import type { PlanCatalogue } from '../contracts/plans.ts';
import { workflowIds } from '../contracts/processes/workflows.ts';
import type { Sql } from './database/connection.ts';
import { enqueue } from './database/outbox.ts';
import { inTransaction } from './database/transactions.ts';
import { type CommitStart, commitStart, reopenSession } from './deploys/commits.ts';
import { failRenderJob } from './jobs/render-job-transitions.ts';
import { type RenderJobStart, renderJobStart } from './jobs/render-jobs.ts';
import { failDelivery } from './webhooks/webhook-deliveries.ts';
import { startDelivery } from './webhooks/webhook-events.ts';
import { lockWorkspace } from './workspaces/workspaces.ts';

/** A row that a workflow should be at work on, and what reconciliation can do about it. */
export interface OpenWork {
  /** Of the row. */
  readonly id: string;
  readonly workflowId: string;
  /** Owes the start of its workflow again. */
  restart(): Promise<void>;
  /** Ends it, because its workflow ended without. */
  abandon(now: number): Promise<void>;
}

/** Said of work whose workflow an operator ended. */
const abandonedMessage =
  'The workflow was ended by an operator before it was done. Send the request again.';

interface OpenWorkInput {
  readonly plans: PlanCatalogue;
  readonly retryDelaysMs: readonly number[];
  /** Unix ms; what began later is left out. */
  readonly before: number;
  /** At most so many in one page. */
  readonly pageSize: number;
}

/** Where a page begins: behind the row of this id. */
type Page = OpenWorkInput & { readonly after: string };

/** Open jobs, running commits and pending webhook deliveries for which no call to Temporal is owed: each kind oldest first. */
export async function* listOpenWork(sql: Sql, input: OpenWorkInput): AsyncGenerator<OpenWork[]> {
  for (const list of [listOpenJobs, listOpenCommits, listOpenDeliveries]) {
    let page: OpenWork[] = [];
    do {
      page = await list(sql, { ...input, after: page.at(-1)?.id ?? '' });
      yield await withoutOwed(sql, page);
    } while (page.length === input.pageSize);
  }
}

async function withoutOwed(sql: Sql, work: readonly OpenWork[]): Promise<OpenWork[]> {
  const owed = await sql<{ workflowId: string }[]>`
    select distinct workflow_id from outbox where workflow_id = any(${work.map(({ workflowId }) => workflowId)})`;
  const owedIds = new Set(owed.map(({ workflowId }) => workflowId));
  return work.filter(({ workflowId }) => !owedIds.has(workflowId));
}

async function listOpenJobs(sql: Sql, page: Page): Promise<OpenWork[]> {
  const rows = await sql<RenderJobStart[]>`
    select j.id as job_id, j.workspace_id, j.deploy_id, j.deploy_version_id, j.business_key, j.request_id,
      j.admitted_at is not null as admitted, j.render_timeout_ms, d.slug as deploy_slug, coalesce(v.title, d.name) as title
    from render_jobs j
      join deploys d on d.id = j.deploy_id
      left join deploy_versions v on v.id = j.deploy_version_id
    where j.finished_at is null and j.requested_at < ${page.before} and j.id > ${page.after}
    order by j.id limit ${page.pageSize}`;
  return rows.map((row) => {
    const { jobId, workspaceId } = row;
    const failure = { code: 'render_failed', message: abandonedMessage } as const;
    return {
      id: jobId,
      workflowId: workflowIds.renderJob(jobId),
      restart: () => restartJob(sql, row, page.retryDelaysMs),
      abandon: async (now) => {
        await failRenderJob(sql, page.plans, { jobId, workspaceId, failure, now });
      },
    };
  });
}

/**
 * Owes the start of a job's workflow, as admitted as the job is now: a signal that came since the row was read found no
 * workflow, and is lost.
 */
async function restartJob(
  sql: Sql,
  job: RenderJobStart,
  retryDelaysMs: readonly number[],
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await lockWorkspace(tx, job.workspaceId);
    const [now] = await tx<{ admitted: boolean }[]>`
      select admitted_at is not null as admitted from render_jobs
      where id = ${job.jobId} and finished_at is null`;
    if (!now) return;
    await enqueue(tx, {
      workspaceId: job.workspaceId,
      workflowId: workflowIds.renderJob(job.jobId),
      message: renderJobStart({ ...job, ...now }, retryDelaysMs),
    });
  });
}

async function listOpenCommits(sql: Sql, page: Page): Promise<OpenWork[]> {
  const rows = await sql<CommitStart[]>`
    select s.id as upload_session_id, s.workspace_id, s.deploy_id, s.commit_no, d.slug,
      s.commit_body->'render'->>'title' as title, s.commit_request_id as request_id
    from upload_sessions s join deploys d on d.id = s.deploy_id
    where s.status = 'committing' and s.created_at < ${page.before} and s.id > ${page.after}
    order by s.id limit ${page.pageSize}`;
  return rows.map((row) => {
    const workflowId = workflowIds.commitUpload(row.uploadSessionId, row.commitNo);
    const error = { code: 'service_unavailable', message: abandonedMessage } as const;
    return {
      id: row.uploadSessionId,
      workflowId,
      restart: async () => {
        const { workspaceId } = row;
        await enqueue(sql, { workspaceId, workflowId, message: commitStart(row) });
      },
      abandon: (now) => {
        const { uploadSessionId, commitNo } = row;
        return reopenSession(sql, { uploadSessionId, commitNo, error, now });
      },
    };
  });
}

/** A delivery goes on where its row says that it was: attempts that were made are not made again. */
async function listOpenDeliveries(sql: Sql, page: Page): Promise<OpenWork[]> {
  const rows = await sql<{ id: string }[]>`
    select id from webhook_deliveries where state = 'pending' and created_at < ${page.before} and id > ${page.after}
    order by id limit ${page.pageSize}`;
  return rows.map(({ id }) => ({
    id,
    workflowId: workflowIds.deliverWebhook(id),
    restart: () => startDelivery(sql, id),
    abandon: (now) => failDelivery(sql, id, now),
  }));
}
