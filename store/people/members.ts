import type { Member, MemberRole } from '../../contracts/admin/members.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { type PlanCatalogue, planOf } from '../../contracts/plans.ts';
import type { Queryable, Transaction } from '../database/connection.ts';
import { type LockedWorkspace, lockWorkspace } from '../workspaces/workspaces.ts';
import { lockUsers } from './users.ts';
import { assertOneBlankWorkspace } from './workspace-owners.ts';

/** Members of a workspace. Every change holds the lock of the workspace's row. */

/** Lists all members of a workspace, oldest first. There are no pages, because the plan limits their number. */
export const listMembers = (sql: Queryable, workspaceId: string): Promise<Member[]> =>
  sql<Member[]>`
    select m.user_id, u.name, u.email, m.role, m.created_at
    from workspace_members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} order by m.created_at, m.user_id`;

/**
 * Adds a member. A user who is already a member keeps the same role.
 *
 * @throws ServiceError `workspace_member_limit_exceeded` | `workspace_blank_plan_limit_exceeded`
 */
export async function addMember(
  tx: Transaction,
  plans: PlanCatalogue,
  input: { workspaceId: string; userId: string; role: MemberRole; now: number },
): Promise<void> {
  const { workspaceId, userId, role, now } = input;
  const workspace = await lockWorkspace(tx, workspaceId);
  const added = await tx`
    insert into workspace_members ${tx({ workspaceId, userId, role, createdAt: now })}
    on conflict (workspace_id, user_id) do nothing returning 1`;
  if (added.length === 0) return;
  await assertMemberLimit(tx, plans, workspace, 0);
  if (role === 'owner') await assertCanOwn(tx, userId);
}

/**
 * Checks the plan's limit of members. The caller holds the lock of the workspace.
 *
 * @param more how many members will be added
 * @throws ServiceError `workspace_member_limit_exceeded`
 */
export async function assertMemberLimit(
  tx: Transaction,
  plans: PlanCatalogue,
  workspace: LockedWorkspace,
  more: number,
): Promise<void> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from workspace_members where workspace_id = ${workspace.id}`;
  if ((row?.count ?? 0) + more > planOf(plans, workspace.plan).maxMembers)
    throw new ServiceError('workspace_member_limit_exceeded');
}

/** @throws ServiceError `member_not_found` | `workspace_needs_owner` | `workspace_blank_plan_limit_exceeded` */
export async function changeMemberRole(
  tx: Transaction,
  input: { workspaceId: string; userId: string; role: MemberRole },
): Promise<void> {
  const { workspaceId, userId, role } = input;
  await lockWorkspace(tx, workspaceId);
  const changed = await tx`
    update workspace_members set role = ${role}
    where workspace_id = ${workspaceId} and user_id = ${userId} returning 1`;
  if (changed.length === 0) throw new ServiceError('member_not_found');
  if (role === 'owner') await assertCanOwn(tx, userId);
  else await assertHasOwner(tx, workspaceId);
}

/** @throws ServiceError `member_not_found` | `workspace_needs_owner` */
export async function removeMember(
  tx: Transaction,
  input: { workspaceId: string; userId: string },
): Promise<void> {
  const { workspaceId, userId } = input;
  await lockWorkspace(tx, workspaceId);
  const removed = await tx`
    delete from workspace_members where workspace_id = ${workspaceId} and user_id = ${userId} returning 1`;
  if (removed.length === 0) throw new ServiceError('member_not_found');
  await assertHasOwner(tx, workspaceId);
}

async function assertCanOwn(tx: Transaction, userId: string): Promise<void> {
  await lockUsers(tx, [userId]);
  await assertOneBlankWorkspace(tx, [userId]);
}

async function assertHasOwner(tx: Transaction, workspaceId: string): Promise<void> {
  const owners = await tx`
    select 1 from workspace_members where workspace_id = ${workspaceId} and role = 'owner' limit 1`;
  if (owners.length === 0) throw new ServiceError('workspace_needs_owner');
}
