import { newId } from '../../contracts/ids.ts';
import type { AuditEntry } from '../../contracts/schemas/people.ts';
import { type Cursors, type Page, toPage } from '../cursors.ts';
import { present, type Queryable } from '../database.ts';

/** Who changed what, written in the transaction that changes it. */

export interface AuditRecord {
  readonly workspaceId: string | null;
  /** A user's id, `admin-token`, or `npm start`. */
  readonly actor: string;
  /** What was done, as the admin router names it: `apiKeys.create`. */
  readonly action: string;
  /** Id or name of what it was done to. */
  readonly target?: string | undefined;
  /** What else tells the change; never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly now: number;
}

export async function writeAuditEntry(sql: Queryable, record: AuditRecord): Promise<void> {
  const { workspaceId, actor, action, target = null, details, now } = record;
  const row = { id: newId('auditEntry'), workspaceId, actor, action, target, createdAt: now };
  await sql`insert into audit_log ${sql({ ...row, details: details ? sql.json(details) : null })}`;
}

interface AuditRow {
  id: string;
  workspaceId: string | null;
  actor: string;
  actorName: string | null;
  action: string;
  target: string | null;
  details: Record<string, unknown> | null;
  createdAt: number;
}

/** Lists entries, newest first: of one workspace, or of all and of none. */
export async function listAuditEntries(
  sql: Queryable,
  cursors: Cursors,
  input: { workspaceId?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<Page<AuditEntry>> {
  const { workspaceId, cursor, limit } = input;
  const list = `audit-log ${workspaceId ?? ''}`;
  const afterId = cursors.decode(list, cursor);
  const rows = await sql<AuditRow[]>`
    select a.id, a.workspace_id, a.actor, u.name as actor_name, a.action, a.target, a.details, a.created_at
    from audit_log a left join users u on u.id = a.actor
    where true
      ${workspaceId === undefined ? sql`` : sql`and a.workspace_id = ${workspaceId}`}
      ${afterId === undefined ? sql`` : sql`and a.id < ${afterId}`}
    order by a.id desc limit ${limit + 1}`;
  return toPage(rows, limit, present, ({ id }) => cursors.encode(list, id)) as Page<AuditEntry>;
}
