import { z } from 'zod';
import { pageInput } from '../../contracts/schemas/admin.ts';
import { auditEntrySchema } from '../../contracts/schemas/people.ts';
import { listAuditEntries } from '../../store/people/audit-log.ts';
import { operatorProcedure, ownerProcedure, router } from './procedures.ts';

const answer = z.strictObject({
  items: z.array(auditEntrySchema),
  nextCursor: z.string().optional(),
});

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
