import type { Workspace } from '../../contracts/admin/workspaces.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { blankPlan } from '../../contracts/plans.ts';
import type { Queryable, Transaction } from '../database/connection.ts';
import {
  type Cursors,
  newestFirst,
  type Page,
  type PageRequest,
  readPage,
} from '../database/cursors.ts';
import { type Nullable, omitNulls } from '../database/rows.ts';

/** Workspaces. Each has a plan. All data except users belongs to one workspace. */

export async function createWorkspace(
  sql: Queryable,
  input: { name: string; plan: string; now: number },
): Promise<string> {
  const id = newId('workspace');
  await sql`
    insert into workspaces (id, name, plan, created_at) values (${id}, ${input.name}, ${input.plan}, ${input.now})`;
  return id;
}

/** A workspace whose row is locked until the end of the transaction. */
export interface LockedWorkspace {
  readonly id: string;
  readonly plan: string;
  readonly admittedJobs: number;
}

/**
 * Locks the workspace's counters. It is always locked before the row of a job, so that no two transactions wait for each other.
 * The lock is not `for update`, because then inserts of rows that reference the workspace would wait for it, too.
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

/** @throws ServiceError `workspace_not_found` */
export async function renameWorkspace(
  sql: Queryable,
  workspaceId: string,
  name: string,
): Promise<void> {
  const renamed =
    await sql`update workspaces set name = ${name} where id = ${workspaceId} returning 1`;
  if (renamed.length === 0) throw new ServiceError('workspace_not_found');
}

type WorkspaceRow = Nullable<Workspace>;

/** The reader of workspaces. A user sees the workspaces in which they are a member; an operator sees all. */
export interface Viewer {
  /** Undefined for the admin token. */
  readonly userId?: string | undefined;
  readonly operator: boolean;
}

const selectWorkspaces = (sql: Queryable, { userId, operator }: Viewer) => sql`
  select w.id, w.name, w.plan, w.created_at, m.role
  from workspaces w left join workspace_members m on m.workspace_id = w.id and m.user_id = ${userId ?? null}
  where (${operator} or m.role is not null)`;

const toWorkspace = (row: WorkspaceRow): Workspace => omitNulls(row);

/** @throws ServiceError `workspace_not_found`, also if the viewer may not see it */
export async function getWorkspace(
  sql: Queryable,
  workspaceId: string,
  viewer: Viewer,
): Promise<Workspace> {
  const [row] = await sql<WorkspaceRow[]>`
    ${selectWorkspaces(sql, viewer)} and w.id = ${workspaceId}`;
  if (!row) throw new ServiceError('workspace_not_found');
  return toWorkspace(row);
}

/** Lists the workspaces that the viewer sees, newest first. */
export const listWorkspaces = (
  sql: Queryable,
  cursors: Cursors,
  viewer: Viewer,
  page: PageRequest,
): Promise<Page<Workspace>> =>
  readPage(cursors, `workspaces ${viewer.userId} ${viewer.operator}`, page, {
    read: (position) => sql<WorkspaceRow[]>`
      ${selectWorkspaces(sql, viewer)} ${newestFirst(sql, sql`w.id`, position)}`,
    toItem: toWorkspace,
    toPosition: ({ id }) => id,
  });

/** Gets the address for bills. @throws ServiceError `workspace_blank_plan_requires_pro` */
export async function getBillingEmail(
  sql: Queryable,
  workspaceId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ plan: string; billingEmail: string | null }[]>`
    select plan, billing_email from workspaces where id = ${workspaceId}`;
  if (row?.plan === blankPlan) throw new ServiceError('workspace_blank_plan_requires_pro');
  return row?.billingEmail ?? undefined;
}

/** @throws ServiceError `workspace_blank_plan_requires_pro` */
export async function setBillingEmail(
  sql: Queryable,
  workspaceId: string,
  billingEmail: string,
): Promise<void> {
  const updated = await sql`
    update workspaces set billing_email = ${billingEmail}
    where id = ${workspaceId} and plan <> ${blankPlan} returning 1`;
  if (updated.length === 0) throw new ServiceError('workspace_blank_plan_requires_pro');
}
