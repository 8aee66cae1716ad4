import { z } from 'zod';
import { pageInput } from '../../contracts/pagination.ts';
import {
  aliasListAnswer,
  aliasName,
  aliasSchema,
  setAliasBody,
} from '../../contracts/rest/schemas/aliases.ts';
import { deleteAlias, listAliases, setAlias } from '../../store/deploys/aliases.ts';
import { getDeploy } from '../../store/deploys/deploys.ts';
import { audited } from './audited.ts';
import { memberProcedure, router } from './procedures.ts';

/** Aliases of a deploy. */
export const aliasesRouter = router({
  list: memberProcedure
    .input(pageInput.extend({ deployId: z.string() }))
    .output(aliasListAnswer)
    .query(async ({ ctx, input }) => {
      const { sql, cursors } = ctx.service.store;
      await getDeploy(sql, input.workspaceId, input.deployId);
      return listAliases(sql, cursors, input);
    }),

  set: memberProcedure
    .input(z.object({ deployId: z.string(), alias: aliasName, ...setAliasBody.shape }))
    .output(aliasSchema)
    .mutation(({ ctx, input }) => {
      const { deployId, alias } = input;
      return audited(
        ctx,
        (tx) => setAlias(tx, { ...input, now: ctx.now }),
        ({ deployVersionId }) => ({ target: alias, details: { deployId, deployVersionId } }),
      );
    }),

  delete: memberProcedure
    .input(z.object({ deployId: z.string(), alias: z.string() }))
    .mutation(({ ctx, input: { workspaceId, deployId, alias } }) =>
      audited(
        ctx,
        async (tx) => {
          await getDeploy(tx, workspaceId, deployId);
          await deleteAlias(tx, deployId, alias);
        },
        { target: alias, details: { deployId } },
      ),
    ),
});
