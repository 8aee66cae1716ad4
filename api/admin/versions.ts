import { z } from 'zod';
import { versionDetails } from '../../contracts/admin/versions.ts';
import { pageInput } from '../../contracts/pagination.ts';
import { deployVersionListAnswer } from '../../contracts/rest/schemas/versions.ts';
import { inTransaction } from '../../store/database/transactions.ts';
import {
  deleteDeployVersion,
  getReadyVersion,
  listDeployVersions,
  listVersionFiles,
} from '../../store/deploys/deploy-versions.ts';
import { getDeploy } from '../../store/deploys/deploys.ts';
import { audited } from './audited.ts';
import { memberProcedure, router } from './procedures.ts';

/** Versions of a deploy. */
export const versionsRouter = router({
  list: memberProcedure
    .input(pageInput.extend({ deployId: z.string() }))
    .output(deployVersionListAnswer)
    .query(async ({ ctx, input }) => {
      const { sql, cursors } = ctx.service.store;
      await getDeploy(sql, input.workspaceId, input.deployId);
      return listDeployVersions(sql, cursors, input);
    }),

  get: memberProcedure
    .input(z.object({ deployId: z.string(), versionId: z.string() }))
    .output(versionDetails)
    .query(({ ctx, input: { workspaceId, deployId, versionId } }) =>
      inTransaction(ctx.service.store.sql, async (tx) => {
        await getDeploy(tx, workspaceId, deployId);
        const deployVersion = await getReadyVersion(tx, deployId, versionId);
        return { deployVersion, files: await listVersionFiles(tx, versionId) };
      }),
    ),

  delete: memberProcedure
    .input(z.object({ deployId: z.string(), versionId: z.string() }))
    .mutation(({ ctx, input: { workspaceId, deployId, versionId } }) =>
      audited(
        ctx,
        async (tx) => {
          await getDeploy(tx, workspaceId, deployId);
          await deleteDeployVersion(tx, { deployId, versionId, now: ctx.now });
        },
        { target: versionId, details: { deployId } },
      ),
    ),
});
