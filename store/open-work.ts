import type { PlanCatalogue } from '../contracts/plans.ts';
import { workflowIds } from '../contracts/processes/workflows.ts';
import type { Sql } from './database/connection.ts';
import { enqueue } from './database/outbox.ts';
import { inTransaction } from './database/transactions.ts';
import { type CommitStart, reopenSession, toCommitStartMessage } from './deploys/commits.ts';
import { failRenderJob } from './jobs/end-render-job.ts';
import { type RenderJobStart, toRenderJobStartMessage } from './jobs/render-job-start.ts';
import { failDelivery } from './webhooks/webhook-deliveries.ts';
import { enqueueDeliveryStart } from './webhooks/webhook-events.ts';
import { lockWorkspace } from './workspaces/workspaces.ts';

/** A row that should have a running workflow, and the ways in which reconciliation can repair it. */
export interface OpenWork {
  /** The id of the row. */
  readonly id: string;
  readonly workflowId: string;
  /** Enqueues the start of its workflow again. */
  restart(): Promise<void>;
  /** Ends the work as failed, because its workflow ended and left it open. The session of a failed commit opens again. */
  fail(now: number): Promise<void>;
}

/** The error message of work whose workflow an operator ended. */
const workflowEndedMessage =
  'The workflow was ended by an operator before it was done. Send the request again.';

interface OpenWorkInput {
  readonly plans: PlanCatalogue;
  readonly retryDelaysMs: readonly number[];
  /** Unix ms. Only jobs, upload sessions and deliveries that were created before are listed. */
  readonly before: number;
  /** The most rows of one page. */
  readonly pageSize: number;
}

/** A page starts after the row with the id `after`. */
type Page = OpenWorkInput & { readonly after: string };

/** Lists open jobs, running commits and pending webhook deliveries without a message in the outbox; each kind oldest first. */
export async function* listOpenWork(sql: Sql, input: OpenWorkInput): AsyncGenerator<OpenWork[]> {
  for (const list of [listOpenJobs, listOpenCommits, listOpenDeliveries]) {
    let page: OpenWork[] = [];
    do {
      page = await list(sql, { ...input, after: page.at(-1)?.id ?? '' });
      yield await withoutPendingMessages(sql, page);
    } while (page.length === input.pageSize);
  }
}

async function withoutPendingMessages(sql: Sql, work: readonly OpenWork[]): Promise<OpenWork[]> {
  const pending = await sql<{ workflowId: string }[]>`
    select distinct workflow_id from outbox where workflow_id = any(${work.map(({ workflowId }) => workflowId)})`;
  const pendingIds = new Set(pending.map(({ workflowId }) => workflowId));
  return work.filter(({ workflowId }) => !pendingIds.has(workflowId));
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
    const failure = { code: 'render_failed', message: workflowEndedMessage } as const;
    return {
      id: jobId,
      workflowId: workflowIds.renderJob(jobId),
      restart: () => restartJob(sql, row, page.retryDelaysMs),
      fail: async (now) => {
        await failRenderJob(sql, page.plans, { jobId, workspaceId, failure, now });
      },
    };
  });
}

/**
 * Enqueues the start of a job's workflow. It reads again whether the job is admitted: if the job was admitted after the row was
 * read, the signal found no workflow and was lost.
 */
async function restartJob(
  sql: Sql,
  job: RenderJobStart,
  retryDelaysMs: readonly number[],
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await lockWorkspace(tx, job.workspaceId);
    const [current] = await tx<{ admitted: boolean }[]>`
      select admitted_at is not null as admitted from render_jobs
      where id = ${job.jobId} and finished_at is null`;
    if (!current) return;
    await enqueue(tx, {
      workspaceId: job.workspaceId,
      workflowId: workflowIds.renderJob(job.jobId),
      message: toRenderJobStartMessage({ ...job, ...current }, retryDelaysMs),
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
    const error = { code: 'service_unavailable', message: workflowEndedMessage } as const;
    return {
      id: row.uploadSessionId,
      workflowId,
      restart: async () => {
        const { workspaceId } = row;
        await enqueue(sql, { workspaceId, workflowId, message: toCommitStartMessage(row) });
      },
      fail: (now) => {
        const { uploadSessionId, commitNo } = row;
        return reopenSession(sql, { uploadSessionId, commitNo, error, now });
      },
    };
  });
}

/** Lists pending deliveries. A delivery that is restarted continues after its recorded attempts. */
async function listOpenDeliveries(sql: Sql, page: Page): Promise<OpenWork[]> {
  const rows = await sql<{ id: string }[]>`
    select id from webhook_deliveries where state = 'pending' and created_at < ${page.before} and id > ${page.after}
    order by id limit ${page.pageSize}`;
  return rows.map(({ id }) => ({
    id,
    workflowId: workflowIds.deliverWebhook(id),
    restart: () => enqueueDeliveryStart(sql, id),
    fail: (now) => failDelivery(sql, id, now),
  }));
}
