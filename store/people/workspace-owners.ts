import { ServiceError } from '../../contracts/errors.ts';
import { blankPlan } from '../../contracts/plans.ts';
import type { Transaction } from '../database/connection.ts';
import { createWorkspace } from '../workspaces/workspaces.ts';
import { lockUsers } from './users.ts';

/**
 * Creates a workspace that a user owns.
 *
 * @throws ServiceError `workspace_blank_plan_limit_exceeded`
 */
export async function createOwnedWorkspace(
  tx: Transaction,
  input: { name: string; plan: string; ownerId: string; now: number },
): Promise<string> {
  const { ownerId, now } = input;
  await lockUsers(tx, [ownerId]);
  const id = await createWorkspace(tx, input);
  await tx`insert into workspace_members ${tx({ workspaceId: id, userId: ownerId, role: 'owner', createdAt: now })}`;
  await assertOneBlankWorkspace(tx, [ownerId]);
  return id;
}

/**
 * Checks that each user owns at most one workspace on the plan `blank`. The caller has made the change and has locked the users.
 *
 * @throws ServiceError `workspace_blank_plan_limit_exceeded`
 */
export async function assertOneBlankWorkspace(
  tx: Transaction,
  ownerIds: readonly string[],
): Promise<void> {
  const exceeding = await tx`
    select m.user_id from workspace_members m join workspaces w on w.id = m.workspace_id
    where m.user_id = any(${ownerIds as string[]}) and m.role = 'owner' and w.plan = ${blankPlan}
    group by m.user_id having count(*) > 1`;
  if (exceeding.length > 0) throw new ServiceError('workspace_blank_plan_limit_exceeded');
}
