import type { AuditEntry } from '../../contracts/admin/audit-log.ts';
import { newId } from '../../contracts/ids.ts';
import { clausesFor } from '../database/clauses.ts';
import type { Queryable } from '../database/connection.ts';
import {
  type Cursors,
  newestFirst,
  type Page,
  type PageRequest,
  readPage,
} from '../database/cursors.ts';
import { type Nullable, omitNulls } from '../database/rows.ts';

/** Records who changed what, in the transaction that makes the change. */

export interface AuditRecord {
  readonly workspaceId: string | null;
  /** A user's id, `admin-token`, or `npm start`. */
  readonly actor: string;
  /** The name of the procedure in the admin router: `apiKeys.create`. */
  readonly action: string;
  /** The id or name of the changed object. */
  readonly target?: string | undefined;
  /** More about the change; never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly now: number;
}

export async function writeAuditEntry(sql: Queryable, record: AuditRecord): Promise<void> {
  const { workspaceId, actor, action, target = null, details, now } = record;
  const row = { id: newId('auditEntry'), workspaceId, actor, action, target, createdAt: now };
  await sql`insert into audit_log ${sql({ ...row, details: details ? sql.json(details) : null })}`;
}

/** Lists entries, newest first. Without `workspaceId` it lists all, also those that belong to no workspace. */
export const listAuditEntries = (
  sql: Queryable,
  cursors: Cursors,
  { workspaceId, ...page }: { workspaceId?: string | undefined } & PageRequest,
): Promise<Page<AuditEntry>> =>
  readPage(cursors, `audit-log ${workspaceId ?? ''}`, page, {
    read: (position) => sql<Nullable<AuditEntry>[]>`
      select a.id, a.workspace_id, a.actor, u.name as actor_name, a.action, a.target, a.details, a.created_at
      from audit_log a left join users u on u.id = a.actor
      where true ${clausesFor(sql)(workspaceId, (id) => sql`and a.workspace_id = ${id}`)}
        ${newestFirst(sql, sql`a.id`, position)}`,
    toItem: (row) => omitNulls(row),
    toPosition: ({ id }) => id,
  });
