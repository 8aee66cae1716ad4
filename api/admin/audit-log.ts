import { auditEntrySchema } from '../../contracts/admin/audit-log.ts';
import { pageInput, pageOf } from '../../contracts/pagination.ts';
import { listAuditEntries } from '../../store/workspaces/audit-log.ts';
import { operatorProcedure, ownerProcedure, router } from './procedures.ts';

const answer = pageOf(auditEntrySchema);

/** The audit log, newest entries first. */
export const auditLogRouter = router({
  /** Lists the entries of one workspace. */
  list: ownerProcedure
    .input(pageInput)
    .output(answer)
    .query(({ ctx, input }) =>
      listAuditEntries(ctx.service.store.sql, ctx.service.store.cursors, input),
    ),

  /** Lists all entries, also those that belong to no workspace. */
  listAll: operatorProcedure
    .input(pageInput)
    .output(answer)
    .query(({ ctx, input }) =>
      listAuditEntries(ctx.service.store.sql, ctx.service.store.cursors, input),
    ),
});
