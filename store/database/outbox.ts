import type { WorkflowType } from '../../contracts/processes/workflows.ts';
import type { Queryable } from './connection.ts';

/** What an operator sees of a workflow beside its history. */
export interface WorkflowDescription {
  readonly summary: string;
  readonly memo: Readonly<Record<string, string>>;
  readonly searchAttributes: { readonly workspaceId: string } & Readonly<Record<string, string>>;
}

/** A call to Temporal that a transaction owes. It holds ids and sizes, never content. */
export type OutboxMessage =
  | ({
      readonly kind: 'start';
      readonly workflowType: WorkflowType;
      readonly input: object;
      /** Of the dashboard, below the public address: operators get from the workflow to what it is about. */
      readonly page?: string;
    } & WorkflowDescription)
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'cancel' };

export interface OutboxRow {
  readonly id: number;
  readonly workflowId: string;
  readonly message: OutboxMessage;
  /** How often the call was made in vain. */
  readonly failures: number;
}

/**
 * Its turn is the one after the workspace's last, or that which is served now: what one workspace owes is served in its order,
 * and every workspace once in each turn.
 */
export const enqueue = (
  sql: Queryable,
  {
    workspaceId,
    workflowId,
    message,
  }: { workspaceId: string; workflowId: string; message: OutboxMessage },
) =>
  sql`
    insert into outbox (workspace_id, workflow_id, message, turn)
    select ${workspaceId}, ${workflowId}, ${sql.json(message as never)}, greatest(
      (select max(turn) + 1 from outbox where workspace_id = ${workspaceId}),
      (select min(turn) from outbox),
      0)`;

/**
 * Leases the messages whose turn is next and whose workflow has none before them, so that a signal never overtakes the start.
 *
 * @param leaseMs how long no other relay takes them
 */
export const leaseOutbox = (sql: Queryable, limit: number, now: number, leaseMs: number) =>
  sql<OutboxRow[]>`
    with due as (
      select id from outbox o
      where leased_until <= ${now}
        and not exists (select from outbox earlier where earlier.workflow_id = o.workflow_id and earlier.id < o.id)
      order by turn, id limit ${limit} for update skip locked
    )
    update outbox o set leased_until = ${now + leaseMs} from due where o.id = due.id
    returning o.id, o.workflow_id, o.message, o.failures`;

export const deleteOutbox = (sql: Queryable, ids: readonly number[]) =>
  sql`delete from outbox where id = any(${ids as number[]}::bigint[])`;

/** Gives a message back, to be tried again at `retryAt`. */
export const postponeOutbox = (sql: Queryable, id: number, retryAt: number) =>
  sql`update outbox set leased_until = ${retryAt}, failures = failures + 1 where id = ${id}`;
