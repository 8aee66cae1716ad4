import type { pdfRoutes } from '../../contracts/rest/routes/pdfs.ts';
import { deletePdf, getPdf, getPdfFile, listPdfs } from '../../store/jobs/pdfs.ts';
import {
  createPermanentLink,
  deletePermanentLink,
  listPermanentLinks,
} from '../../store/jobs/permanent-links.ts';
import { createAccessLink } from '../access-link.ts';
import type { ApiContext } from '../context.ts';
import { deleteBlobsNow } from '../delete-blobs-now.ts';
import type { Handler, Handlers } from '../endpoint.ts';
import { toPermanentLink } from '../public-pdfs.ts';

/** Managed PDFs and links to them (REST 4.4). */
export function createPdfHandlers(context: ApiContext): Handlers<typeof pdfRoutes> {
  const { sql, blobs, cursors, linkTokens } = context.store;

  const createLink =
    (disposition: 'attachment' | 'inline'): Handler<typeof pdfRoutes.createPdfDownload> =>
    async ({ caller, params: { pdfId }, ...request }) => {
      const file = await getPdfFile(sql, caller.workspaceId, pdfId);
      const link = { ...request, disposition };
      return createAccessLink(blobs, file, link, 'pdf_not_found');
    };

  return {
    listPdfs: ({ caller, query }) => listPdfs(sql, cursors, caller.workspaceId, query),

    getPdf: async ({ caller, params: { pdfId } }) => ({
      pdf: await getPdf(sql, caller.workspaceId, pdfId),
    }),

    async deletePdf({ caller: { workspaceId }, params: { pdfId }, now }) {
      await deleteBlobsNow(context, await deletePdf(sql, { workspaceId, pdfId, now }), now);
    },

    createPdfDownload: createLink('attachment'),
    createPdfPreview: createLink('inline'),

    async listPermanentLinks({ caller: { workspaceId }, params: { pdfId } }) {
      const stored = await listPermanentLinks(sql, linkTokens, { workspaceId, pdfId });
      return { items: stored.map((link) => toPermanentLink(context, link)) };
    },

    async createPermanentLink({ caller: { workspaceId }, params: { pdfId }, now }) {
      const link = await createPermanentLink(sql, linkTokens, { workspaceId, pdfId, now });
      return { link: toPermanentLink(context, link) };
    },

    deletePermanentLink: ({ caller: { workspaceId }, params, now }) =>
      deletePermanentLink(sql, { workspaceId, ...params, now }),
  };
}
