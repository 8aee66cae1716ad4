import { type Route, route } from '../route.ts';
import {
  pdfAnswer,
  pdfListAnswer,
  pdfListQuery,
  permanentLinkAnswer,
  permanentLinkListAnswer,
} from '../schemas/pdfs.ts';
import { signedLink } from './signed-link.ts';

/** Managed PDFs and links to them (REST 4.4). */
export const pdfRoutes = {
  listPdfs: route({
    method: 'get',
    path: '/pdfs',
    tag: 'Managed PDFs',
    summary: 'List the managed PDFs of the workspace, newest first',
    description: 'The filters add up.',
    query: pdfListQuery,
    success: { status: 200, schema: pdfListAnswer },
    errors: ['invalid_cursor'],
  }),
  getPdf: route({
    method: 'get',
    path: '/pdfs/{pdfId}',
    tag: 'Managed PDFs',
    summary: 'Get a managed PDF',
    description: 'Also tells which job, version and key it comes from.',
    success: { status: 200, schema: pdfAnswer },
    errors: ['pdf_not_found'],
  }),
  deletePdf: route({
    method: 'delete',
    path: '/pdfs/{pdfId}',
    tag: 'Managed PDFs',
    summary: 'Delete a managed PDF; its permanent links end with it',
    description:
      'The output of its job is deleted with it, and signed links to either end: nothing is left that leads to the file, and its storage is free.',
    success: { status: 204 },
    errors: ['pdf_not_found'],
  }),
  createPdfDownload: route({
    ...signedLink,
    path: '/pdfs/{pdfId}/download',
    tag: 'Managed PDFs',
    summary: 'Get a short-lived link that downloads the PDF',
    description: 'The link needs no key and is for whoever holds it. It ends at `expiresAt`.',
    errors: ['pdf_not_found', 'storage_unavailable'],
  }),
  createPdfPreview: route({
    ...signedLink,
    path: '/pdfs/{pdfId}/preview',
    tag: 'Managed PDFs',
    summary: 'Get a short-lived link that shows the PDF in the browser',
    description: 'As the download, but shown inline.',
    errors: ['pdf_not_found', 'storage_unavailable'],
  }),
  listPermanentLinks: route({
    method: 'get',
    path: '/pdfs/{pdfId}/permanent-links',
    tag: 'Managed PDFs',
    summary: 'List the active permanent links of a PDF',
    description: 'Deleted links are not listed.',
    success: { status: 200, schema: permanentLinkListAnswer },
    errors: ['pdf_not_found'],
  }),
  createPermanentLink: route({
    method: 'post',
    path: '/pdfs/{pdfId}/permanent-links',
    tag: 'Managed PDFs',
    summary: 'Create a public link that lives until it or the PDF is deleted',
    description: 'Whoever has the `url` can download the PDF. Each call creates another link.',
    success: { status: 201, schema: permanentLinkAnswer },
    errors: ['pdf_not_found'],
  }),
  deletePermanentLink: route({
    method: 'delete',
    path: '/pdfs/{pdfId}/permanent-links/{linkId}',
    tag: 'Managed PDFs',
    summary: 'Delete a permanent link; it is dead at once',
    description: 'Other links to the PDF stay.',
    success: { status: 204 },
    errors: ['pdf_not_found', 'permanent_link_not_found'],
  }),
} as const satisfies Record<string, Route>;
