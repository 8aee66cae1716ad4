import type { Transaction } from '../../store/database/connection.ts';
import { inTransaction } from '../../store/database/transactions.ts';
import { type AuditRecord, writeAuditEntry } from '../../store/workspaces/audit-log.ts';
import { type Actor, type AdminContext, nameOf } from './context.ts';

/** What a procedure that changes something works with. */
export type ActingContext = Omit<AdminContext, 'actor'> & {
  readonly actor: Actor;
  /** Path of the procedure, such as `apiKeys.create`. */
  readonly action: string;
  readonly workspace?: { readonly id: string };
};

/** What the entry says besides who did what and when; given once the change is made. */
type AuditDetails = Pick<AuditRecord, 'target' | 'details'> & { readonly workspaceId?: string };

/** Runs a change and writes it into the audit log, in one transaction: neither is there without the other. */
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
    await writeAuditEntry(tx, { workspaceId, actor: nameOf(actor), action, target, details, now });
    return result;
  });
