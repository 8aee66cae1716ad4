import type { Transaction } from '../../store/database/connection.ts';
import { inTransaction } from '../../store/database/transactions.ts';
import { type AuditRecord, writeAuditEntry } from '../../store/workspaces/audit-log.ts';
import { type Actor, type AdminContext, actorIdOf } from './context.ts';

/** Context of a procedure that writes to the audit log. */
export type ActingContext = Omit<AdminContext, 'actor'> & {
  readonly actor: Actor;
  /** Path of the procedure, such as `apiKeys.create`. */
  readonly action: string;
  readonly workspace?: { readonly id: string };
};

/** Fields of the entry that each procedure provides. The workspace is that of the input, unless `workspaceId` names another. */
type AuditDetails = Pick<AuditRecord, 'target' | 'details'> & { readonly workspaceId?: string };

/**
 * Makes a change and writes its entry in the audit log, in one transaction. A change that throws leaves no entry.
 *
 * @param describe fields of the entry, or a function that makes them from the result of the change
 */
export const audited = <T>(
  { service, actor, action, workspace, now }: ActingContext,
  change: (tx: Transaction) => Promise<T>,
  describe: AuditDetails | ((result: T) => AuditDetails),
): Promise<T> =>
  inTransaction(service.store.sql, async (tx) => {
    const result = await change(tx);
    const {
      workspaceId = workspace?.id ?? null,
      target,
      details,
    } = typeof describe === 'function' ? describe(result) : describe;
    await writeAuditEntry(tx, {
      workspaceId,
      actor: actorIdOf(actor),
      action,
      target,
      details,
      now,
    });
    return result;
  });
