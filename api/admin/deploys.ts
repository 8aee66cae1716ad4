import { z } from 'zod';
import { pageInput } from '../../contracts/pagination.ts';
import { deployListAnswer, deploySchema } from '../../contracts/rest/schemas/deploys.ts';
import { deleteDeploy, getDeploy, listDeploys } from '../../store/deploys/deploys.ts';
import { audited } from './audited.ts';
import { memberProcedure, router } from './procedures.ts';

/** Deploys of a workspace. */
export const deploysRouter = router({
  list: memberProcedure
    .input(pageInput)
    .output(deployListAnswer)
    .query(({ ctx, input }) =>
      listDeploys(ctx.service.store.sql, ctx.service.store.cursors, input),
    ),

  get: memberProcedure
    .input(z.object({ deployId: z.string() }))
    .output(deploySchema)
    .query(({ ctx, input: { workspaceId, deployId } }) =>
      getDeploy(ctx.service.store.sql, workspaceId, deployId),
    ),

  delete: memberProcedure
    .input(z.object({ deployId: z.string() }))
    .mutation(({ ctx, input: { workspaceId, deployId } }) =>
      audited(ctx, (tx) => deleteDeploy(tx, workspaceId, deployId, ctx.now), { target: deployId }),
    ),
});
