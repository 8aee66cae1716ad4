import type { Router } from 'express';
import { routes } from '../../contracts/rest/routes.ts';
import { deletePdf, getPdf, getPdfFile, listPdfs } from '../../store/jobs/pdfs.ts';
import {
  createPermanentLink,
  deletePermanentLink,
  listPermanentLinks,
} from '../../store/jobs/permanent-links.ts';
import { createAccessLink } from '../access-link.ts';
import type { ApiContext } from '../context.ts';
import { deleteBlobsNow } from '../delete-blobs-now.ts';
import { mount } from '../endpoint.ts';
import { toPermanentLink } from '../public-pdfs.ts';

/** Managed PDFs and their permanent links (REST 4.4). */
export function mountPdfs(router: Router, context: ApiContext): void {
  const { sql, blobs, cursors, linkTokens } = context.store;

  mount(router, context, routes.listPdfs, async ({ caller, query }) => ({
    body: await listPdfs(sql, cursors, caller.workspaceId, query),
  }));

  mount(router, context, routes.getPdf, async ({ caller, params: { pdfId } }) => ({
    body: { pdf: await getPdf(sql, caller.workspaceId, pdfId) },
  }));

  mount(
    router,
    context,
    routes.deletePdf,
    async ({ caller: { workspaceId }, params: { pdfId }, now }) => {
      await deleteBlobsNow(context, await deletePdf(sql, { workspaceId, pdfId, now }), now);
      return { body: undefined };
    },
  );

  const links = [
    [routes.createPdfDownload, 'attachment'],
    [routes.createPdfPreview, 'inline'],
  ] as const;
  for (const [route, disposition] of links)
    mount(router, context, route, async ({ caller, params: { pdfId }, ...request }) => {
      const file = await getPdfFile(sql, caller.workspaceId, pdfId);
      const link = { ...request, disposition };
      return { body: await createAccessLink(blobs, file, link, 'pdf_not_found') };
    });

  mount(
    router,
    context,
    routes.listPermanentLinks,
    async ({ caller: { workspaceId }, params: { pdfId } }) => {
      const stored = await listPermanentLinks(sql, linkTokens, { workspaceId, pdfId });
      return { body: { items: stored.map((link) => toPermanentLink(context, link)) } };
    },
  );

  mount(
    router,
    context,
    routes.createPermanentLink,
    async ({ caller: { workspaceId }, params: { pdfId }, now }) => {
      const link = await createPermanentLink(sql, linkTokens, { workspaceId, pdfId, now });
      return { body: { link: toPermanentLink(context, link) } };
    },
  );

  mount(
    router,
    context,
    routes.deletePermanentLink,
    async ({ caller: { workspaceId }, params, now }) => {
      await deletePermanentLink(sql, { workspaceId, ...params, now });
      return { body: undefined };
    },
  );
}
