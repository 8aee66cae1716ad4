import { z } from 'zod';
import { pageInput } from '../../contracts/schemas/admin.ts';
import { apiKeySchema } from '../../contracts/schemas/people.ts';
import { createWorkspaceApiKey, listApiKeys, revokeApiKey } from '../../store/people/api-keys.ts';
import { audited } from './audited.ts';
import { nameOf } from './context.ts';
import { memberProcedure, ownerProcedure, router } from './procedures.ts';

/** API keys of a workspace. */
export const apiKeysRouter = router({
  list: memberProcedure
    .input(pageInput)
    .output(z.strictObject({ items: z.array(apiKeySchema), nextCursor: z.string().optional() }))
    .query(({ ctx, input }) =>
      listApiKeys(ctx.service.store.sql, ctx.service.store.cursors, input),
    ),

  /** The key is shown here and never again. */
  create: ownerProcedure
    .input(z.object({ name: z.string().trim().min(1).max(255) }))
    .output(z.strictObject({ id: z.string(), key: z.string() }))
    .mutation(({ ctx, input: { workspaceId, name } }) =>
      audited(
        ctx,
        (tx) => {
          const createdBy = nameOf(ctx.actor);
          return createWorkspaceApiKey(tx, { workspaceId, name, createdBy, now: ctx.now });
        },
        ({ id }) => ({ target: id, details: { name } }),
      ),
    ),

  revoke: ownerProcedure
    .input(z.object({ keyId: z.string() }))
    .mutation(({ ctx, input: { workspaceId, keyId } }) =>
      audited(ctx, (tx) => revokeApiKey(tx, { workspaceId, keyId, now: ctx.now }), {
        target: keyId,
      }),
    ),
});
