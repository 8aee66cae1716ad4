import { z } from 'zod';
import { apiKeySchema, createdApiKeySchema } from '../../contracts/admin/api-keys.ts';
import { pageInput, pageOf } from '../../contracts/pagination.ts';
import {
  createWorkspaceApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../store/workspaces/api-keys.ts';
import { audited } from './audited.ts';
import { actorIdOf } from './context.ts';
import { memberProcedure, ownerProcedure, router } from './procedures.ts';

/** API keys of a workspace. */
export const apiKeysRouter = router({
  list: memberProcedure
    .input(pageInput)
    .output(pageOf(apiKeySchema))
    .query(({ ctx, input }) =>
      listApiKeys(ctx.service.store.sql, ctx.service.store.cursors, input),
    ),

  /** Only this answer shows the key. */
  create: ownerProcedure
    .input(z.object({ name: z.string().trim().min(1).max(255) }))
    .output(createdApiKeySchema)
    .mutation(({ ctx, input: { workspaceId, name } }) =>
      audited(
        ctx,
        (tx) => {
          const createdBy = actorIdOf(ctx.actor);
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
