import { auditEntrySchema } from '../../contracts/admin/audit-log.ts';
import { pageInput, pageOf } from '../../contracts/pagination.ts';
import { listAuditEntries } from '../../store/workspaces/audit-log.ts';
import { operatorProcedure, ownerProcedure, router } from './procedures.ts';

const answer = pageOf(auditEntrySchema);

/** Who changed what, newest first. */
export const auditLogRouter = router({
  /** In one workspace. */
  list: ownerProcedure
    .input(pageInput)
    .output(answer)
    .query(({ ctx, input }) =>
      listAuditEntries(ctx.service.store.sql, ctx.service.store.cursors, input),
    ),

  /** In all workspaces, and in none. */
  listAll: operatorProcedure
    .input(pageInput)
    .output(answer)
    .query(({ ctx, input }) =>
      listAuditEntries(ctx.service.store.sql, ctx.service.store.cursors, input),
    ),
});
