import type { Invitation, InvitationPreview } from '../../contracts/admin/invitations.ts';
import type { MemberRole } from '../../contracts/admin/members.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import type { PlanCatalogue } from '../../contracts/plans.ts';
import { dayMs } from '../../contracts/units.ts';
import type { Queryable, Transaction } from '../database/connection.ts';
import { hashSecret } from '../secrets/hashes.ts';
import { createOneTimeToken } from '../secrets/one-time-tokens.ts';
import { lockWorkspace } from '../workspaces/workspaces.ts';
import { addMember, assertMemberLimit } from './members.ts';
import { createUser } from './users.ts';

/** Invitations to a workspace. Each is a link that works once. Only the hash of its token is stored. */

const invitationLifetimeMs = 7 * dayMs;

/** The SQL condition for invitations that can still be accepted. */
const isOpen = (sql: Queryable, now: number) =>
  sql`accepted_at is null and revoked_at is null and expires_at > ${now}`;

/**
 * Invites an address. The returned token is for the link and is not shown again. An open invitation of the same address is
 * revoked. The limit of members is checked here and again when the invitation is accepted.
 *
 * @throws ServiceError `workspace_member_limit_exceeded`
 */
export async function createInvitation(
  tx: Transaction,
  plans: PlanCatalogue,
  input: { workspaceId: string; email: string; role: MemberRole; invitedBy: string; now: number },
): Promise<{ invitation: Invitation; token: string }> {
  const { now, ...fields } = input;
  const workspace = await lockWorkspace(tx, fields.workspaceId);
  await assertMemberLimit(tx, plans, workspace, 1);
  await tx`
    update invitations set revoked_at = ${now}
    where workspace_id = ${workspace.id} and email = ${fields.email} and ${isOpen(tx, now)}`;
  const { token, hash } = createOneTimeToken();
  const invitation = {
    id: newId('invitation'),
    ...fields,
    createdAt: now,
    expiresAt: now + invitationLifetimeMs,
  };
  await tx`insert into invitations ${tx({ ...invitation, tokenHash: hash })}`;
  return { invitation, token };
}

/** Lists the open invitations of a workspace, newest first. */
export const listInvitations = (
  sql: Queryable,
  workspaceId: string,
  now: number,
): Promise<Invitation[]> =>
  sql<Invitation[]>`
    select id, workspace_id, email, role, invited_by, created_at, expires_at from invitations
    where workspace_id = ${workspaceId} and ${isOpen(sql, now)} order by id desc`;

/** @throws ServiceError `invitation_not_found` */
export async function revokeInvitation(
  sql: Queryable,
  input: { workspaceId: string; invitationId: string; now: number },
): Promise<void> {
  const { workspaceId, invitationId, now } = input;
  const revoked = await sql`
    update invitations set revoked_at = ${now}
    where id = ${invitationId} and workspace_id = ${workspaceId} and ${isOpen(sql, now)} returning 1`;
  if (revoked.length === 0) throw new ServiceError('invitation_not_found');
}

/** Reads what the holder of the link may see. @throws ServiceError `invitation_not_found` */
export async function previewInvitation(
  sql: Queryable,
  token: string,
  now: number,
): Promise<InvitationPreview> {
  const [row] = await sql<InvitationPreview[]>`
    select w.name as workspace_name, i.email, i.role, i.expires_at,
      exists (select from users u where u.email = i.email) as has_account
    from invitations i join workspaces w on w.id = i.workspace_id
    where i.token_hash = ${hashSecret(token)} and ${isOpen(sql, now)}`;
  if (!row) throw new ServiceError('invitation_not_found');
  return row;
}

/** True if the address has an open invitation to any workspace. */
export async function isInvited(sql: Queryable, email: string, now: number): Promise<boolean> {
  const rows = await sql`
    select 1 from invitations where email = ${email} and ${isOpen(sql, now)} limit 1`;
  return rows.length > 0;
}

interface AcceptedInvitation {
  readonly invitationId: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly role: MemberRole;
}

/** Marks an open invitation as accepted. @throws ServiceError `invitation_not_found`, also if it was accepted or revoked, or has expired */
async function consumeInvitation(
  tx: Transaction,
  token: string,
  now: number,
): Promise<AcceptedInvitation> {
  const tokenHash = hashSecret(token);
  const [invited] = await tx<{ workspaceId: string }[]>`
    select workspace_id from invitations where token_hash = ${tokenHash}`;
  // The workspace is locked first, in the same order as when the address is invited again.
  if (invited) await lockWorkspace(tx, invited.workspaceId);
  const [row] = await tx<AcceptedInvitation[]>`
    update invitations set accepted_at = ${now}
    where token_hash = ${tokenHash} and ${isOpen(tx, now)}
    returning id as invitation_id, workspace_id, email, role`;
  if (!row) throw new ServiceError('invitation_not_found');
  return row;
}

/**
 * Accepts an invitation for a user who has an account with the invited address. The user becomes a member.
 *
 * @throws ServiceError `invitation_not_found`, also if another address was invited | `workspace_member_limit_exceeded` |
 *   `workspace_blank_plan_limit_exceeded`
 */
export async function acceptInvitation(
  tx: Transaction,
  plans: PlanCatalogue,
  input: { token: string; user: { id: string; email: string }; now: number },
): Promise<AcceptedInvitation> {
  const { token, user, now } = input;
  const accepted = await consumeInvitation(tx, token, now);
  if (accepted.email !== user.email) throw new ServiceError('invitation_not_found');
  await addMember(tx, plans, { ...accepted, userId: user.id, now });
  return accepted;
}

/**
 * Accepts an invitation for somebody without an account. The user is created and becomes a member.
 *
 * @throws ServiceError `account_exists`, and all that `acceptInvitation` throws
 */
export async function acceptInvitationAsNewUser(
  tx: Transaction,
  plans: PlanCatalogue,
  input: { token: string; name: string; passwordHash: string; now: number },
): Promise<AcceptedInvitation & { userId: string }> {
  const { token, name, passwordHash, now } = input;
  const accepted = await consumeInvitation(tx, token, now);
  const userId = await createUser(tx, { name, email: accepted.email, passwordHash });
  await addMember(tx, plans, { ...accepted, userId, now });
  return { ...accepted, userId };
}
