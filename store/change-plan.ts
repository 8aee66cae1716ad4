import { blankPlan, type PlanCatalogue } from '../contracts/plans.ts';
import type { Transaction } from './database/connection.ts';
import { admitWaitingJobs } from './jobs/admission.ts';
import { lockUsers } from './people/users.ts';
import { assertOneBlankWorkspace } from './people/workspace-owners.ts';
import { lockWorkspace } from './workspaces/workspaces.ts';

/**
 * Changes the plan of a workspace and admits the waiting jobs that the new plan has room for. All members stay, even if the
 * new plan allows fewer.
 *
 * @throws ServiceError `workspace_blank_plan_limit_exceeded`
 */
export async function changePlan(
  tx: Transaction,
  plans: PlanCatalogue,
  input: { workspaceId: string; plan: string; now: number },
): Promise<void> {
  const { workspaceId, plan, now } = input;
  const workspace = await lockWorkspace(tx, workspaceId);
  await tx`update workspaces set plan = ${plan} where id = ${workspaceId}`;
  if (plan === blankPlan) {
    const owners = await tx<{ userId: string }[]>`
      select user_id from workspace_members where workspace_id = ${workspaceId} and role = 'owner'`;
    const ownerIds = owners.map(({ userId }) => userId);
    await lockUsers(tx, ownerIds);
    await assertOneBlankWorkspace(tx, ownerIds);
  }
  await admitWaitingJobs(tx, plans, { ...workspace, plan }, { freed: 0, now });
}
