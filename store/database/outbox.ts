import type { WorkflowType } from '../../contracts/processes/workflows.ts';
import type { Queryable } from './connection.ts';

/** The facts about a workflow that Temporal shows to operators, in addition to its history. */
export interface WorkflowDescription {
  readonly summary: string;
  readonly memo: Readonly<Record<string, string>>;
  readonly searchAttributes: { readonly workspaceId: string } & Readonly<Record<string, string>>;
}

/**
 * A call to Temporal that is made after the transaction is committed. It contains ids, names and settings, never a payload or
 * a file.
 */
export type OutboxMessage =
  | ({
      readonly kind: 'start';
      readonly workflowType: WorkflowType;
      readonly input: object;
      /** The path of the page of the dashboard, so that operators can open it from the workflow. */
      readonly page?: string;
    } & WorkflowDescription)
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'cancel' };

export interface OutboxRow {
  readonly id: number;
  readonly workflowId: string;
  readonly message: OutboxMessage;
  /** The number of failed tries. */
  readonly failures: number;
}

/**
 * Adds a message to the outbox. Its turn is the one after the workspace's last message, or else the current turn. So the
 * messages of one workspace keep their order, and each turn has at most one message of each workspace.
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
 * Leases the messages of the next turns. A message waits while an earlier one of the same workflow is in the outbox, so that a
 * signal never overtakes the start.
 *
 * @param leaseMs how long no other relay can lease these messages
 */
export const leaseOutboxMessages = (sql: Queryable, limit: number, now: number, leaseMs: number) =>
  sql<OutboxRow[]>`
    with due as (
      select id from outbox o
      where leased_until <= ${now}
        and not exists (select from outbox earlier where earlier.workflow_id = o.workflow_id and earlier.id < o.id)
      order by turn, id limit ${limit} for update skip locked
    )
    update outbox o set leased_until = ${now + leaseMs} from due where o.id = due.id
    returning o.id, o.workflow_id, o.message, o.failures`;

/** Deletes messages that were delivered. */
export const deleteOutboxMessages = (sql: Queryable, ids: readonly number[]) =>
  sql`delete from outbox where id = any(${ids as number[]}::bigint[])`;

/** Ends the lease of a message after a failure. It is tried again at `retryAt`, Unix ms. */
export const postponeOutboxMessage = (sql: Queryable, id: number, retryAt: number) =>
  sql`update outbox set leased_until = ${retryAt}, failures = failures + 1 where id = ${id}`;
