import type { PlanCatalogue } from '../../contracts/plans.ts';
import { admittedSignal, workflowIds } from '../../contracts/workflows.ts';
import type { Transaction } from '../database.ts';
import { enqueue } from '../outbox.ts';
import { policyOf } from '../people/workspaces.ts';

export interface LockedWorkspace {
  readonly id: string;
  readonly plan: string;
  readonly admittedJobs: number;
}

/**
 * Locks the workspace's counters; before the job's row, always, so that no two transactions wait for each other. Not `for
 * update`: with that, rows that reference the workspace would wait for it too, out of order.
 */
export async function lockWorkspace(
  tx: Transaction,
  workspaceId: string,
): Promise<LockedWorkspace> {
  const [row] = await tx<LockedWorkspace[]>`
    select id, plan, admitted_jobs from workspaces where id = ${workspaceId} for no key update`;
  if (!row) throw new Error(`Workspace ${workspaceId} does not exist.`);
  return row;
}

/** True when one more job fits under the workspace's ceiling and nobody waits before it; it is then counted. */
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
 * Passes on the place of a job that ended, if it had one, and admits the oldest waiting jobs while there is room. Each
 * admitted job's workflow is told by a signal through the outbox.
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
