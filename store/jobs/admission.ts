import { type PlanCatalogue, policyOf } from '../../contracts/plans.ts';
import { admittedSignal, workflowIds } from '../../contracts/processes/workflows.ts';
import type { Queryable, Sql, Transaction } from '../database/connection.ts';
import { enqueue } from '../database/outbox.ts';
import { inTransaction } from '../database/transactions.ts';
import { type LockedWorkspace, lockWorkspace } from '../workspaces/workspaces.ts';

/** Admits a new job if there is room under the ceiling of the workspace's plan. Returns true if it was admitted and counted. */
export async function admitNewJob(
  tx: Transaction,
  plans: PlanCatalogue,
  workspace: LockedWorkspace,
): Promise<boolean> {
  if (workspace.admittedJobs >= policyOf(plans, workspace.plan).maxConcurrentRenderJobs)
    return false;
  await tx`update workspaces set admitted_jobs = admitted_jobs + 1 where id = ${workspace.id}`;
  return true;
}

/**
 * Frees the places of `freed` ended jobs and admits the oldest waiting jobs while there is room. The workflow of each admitted
 * job gets a signal through the outbox.
 */
export async function admitWaitingJobs(
  tx: Transaction,
  plans: PlanCatalogue,
  workspace: LockedWorkspace,
  change: { readonly freed: number; readonly now: number },
): Promise<void> {
  const remaining = workspace.admittedJobs - change.freed;
  const room = policyOf(plans, workspace.plan).maxConcurrentRenderJobs - remaining;
  const admitted =
    room > 0
      ? await tx<{ id: string }[]>`
          update render_jobs set admitted_at = ${change.now}
          where id in (
            select id from render_jobs
            where workspace_id = ${workspace.id} and finished_at is null and admitted_at is null
            order by id limit ${room})
          returning id`
      : [];
  if (admitted.length !== change.freed)
    await tx`update workspaces set admitted_jobs = ${remaining + admitted.length} where id = ${workspace.id}`;
  for (const { id } of admitted)
    await enqueue(tx, {
      workspaceId: workspace.id,
      workflowId: workflowIds.renderJob(id),
      message: { kind: 'signal', signal: admittedSignal },
    });
}

/**
 * Admits waiting jobs in every workspace that has room for them, for example after a change of plan. All workspaces are
 * tried before the first error is thrown.
 */
export async function admitEverywhere(sql: Sql, plans: PlanCatalogue, now: number): Promise<void> {
  const waiting = await listWorkspacesWithWaitingJobs(sql);
  const admitted = await Promise.allSettled(
    waiting.map((workspaceId) =>
      inTransaction(sql, async (tx) => {
        const workspace = await lockWorkspace(tx, workspaceId);
        await admitWaitingJobs(tx, plans, workspace, { freed: 0, now });
      }),
    ),
  );
  const failed = admitted.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function listWorkspacesWithWaitingJobs(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ workspaceId: string }[]>`
    select distinct workspace_id from render_jobs where finished_at is null and admitted_at is null`;
  return rows.map(({ workspaceId }) => workspaceId);
}
