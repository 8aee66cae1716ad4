import { z } from 'zod';
import { ServiceError } from '../../contracts/errors.ts';
import { pageInput, pageOf } from '../../contracts/pagination.ts';
import { accessSchema } from '../../contracts/rest/schemas/links.ts';
import { outputSchema } from '../../contracts/rest/schemas/outputs.ts';
import { createSignedLink } from '../../store/blobs/signed-links.ts';
import { deleteOutput, getAvailableOutput, listOutputs } from '../../store/jobs/outputs.ts';
import { getRenderJobAnswer } from '../../store/jobs/render-job-answers.ts';
import { deleteBlobsNow } from '../delete-blobs-now.ts';
import { audited } from './audited.ts';
import { linkInput } from './links.ts';
import { memberProcedure, router } from './procedures.ts';

/** Outputs of jobs. An output is identified by its job. */
export const outputsRouter = router({
  list: memberProcedure
    .input(pageInput)
    .output(pageOf(outputSchema))
    .query(({ ctx, input }) =>
      listOutputs(ctx.service.store.sql, ctx.service.store.cursors, input),
    ),

  get: memberProcedure
    .input(z.object({ jobId: z.string() }))
    .output(outputSchema)
    .query(async ({ ctx, input: { workspaceId, jobId } }) => {
      const { output } = await getRenderJobAnswer(ctx.service.store.sql, workspaceId, jobId);
      if (!output) throw new ServiceError('output_not_found');
      return output;
    }),

  /** A signed link to download or show the PDF. */
  link: memberProcedure
    .input(linkInput.extend({ jobId: z.string() }))
    .output(accessSchema)
    .mutation(async ({ ctx, input: { workspaceId, jobId, ...link } }) => {
      const { sql, blobs } = ctx.service.store;
      const output = await getAvailableOutput(sql, workspaceId, jobId);
      const access = await createSignedLink(blobs, output, link);
      if (!access) throw new ServiceError('output_not_found');
      return access;
    }),

  delete: memberProcedure
    .input(z.object({ jobId: z.string() }))
    .mutation(async ({ ctx, input: { workspaceId, jobId } }) => {
      const { service, now } = ctx;
      const unneeded = await audited(ctx, (tx) => deleteOutput(tx, { workspaceId, jobId, now }), {
        target: jobId,
      });
      await deleteBlobsNow(service, unneeded, now);
    }),
});
