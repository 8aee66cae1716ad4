import { z } from 'zod';
import { pdfFilter } from '../../contracts/admin/pdfs.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { pageInput } from '../../contracts/pagination.ts';
import { accessSchema } from '../../contracts/rest/schemas/links.ts';
import { pdfListAnswer, pdfSchema } from '../../contracts/rest/schemas/pdfs.ts';
import { createSignedLink } from '../../store/blobs/signed-links.ts';
import { deletePdf, getPdf, getPdfFile, listPdfs } from '../../store/jobs/pdfs.ts';
import { deleteBlobsNow } from '../delete-blobs-now.ts';
import { audited } from './audited.ts';
import { linkInput } from './links.ts';
import { memberProcedure, router } from './procedures.ts';

const pdfInput = z.object({ pdfId: z.string() });

/** Managed PDFs of a workspace. */
export const pdfsRouter = router({
  list: memberProcedure
    .input(pageInput.extend(pdfFilter.shape))
    .output(pdfListAnswer)
    .query(({ ctx, input: { workspaceId, ...query } }) => {
      const { sql, cursors } = ctx.service.store;
      return listPdfs(sql, cursors, workspaceId, query);
    }),

  get: memberProcedure
    .input(pdfInput)
    .output(pdfSchema)
    .query(({ ctx, input: { workspaceId, pdfId } }) =>
      getPdf(ctx.service.store.sql, workspaceId, pdfId),
    ),

  /** A signed link to download or show the PDF. */
  link: memberProcedure
    .input(linkInput.extend(pdfInput.shape))
    .output(accessSchema)
    .mutation(async ({ ctx, input: { workspaceId, pdfId, ...link } }) => {
      const { sql, blobs } = ctx.service.store;
      const file = await getPdfFile(sql, workspaceId, pdfId);
      const access = await createSignedLink(blobs, file, link);
      if (!access) throw new ServiceError('pdf_not_found');
      return access;
    }),

  delete: memberProcedure
    .input(pdfInput)
    .mutation(async ({ ctx, input: { workspaceId, pdfId } }) => {
      const { service, now } = ctx;
      const unneeded = await audited(ctx, (tx) => deletePdf(tx, { workspaceId, pdfId, now }), {
        target: pdfId,
      });
      await deleteBlobsNow(service, unneeded, now);
    }),
});
