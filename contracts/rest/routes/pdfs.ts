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
    description: 'A PDF must match all filters.',
    query: pdfListQuery,
    success: { status: 200, schema: pdfListAnswer },
    errors: ['invalid_cursor'],
  }),
  getPdf: route({
    method: 'get',
    path: '/pdfs/{pdfId}',
    tag: 'Managed PDFs',
    summary: 'Get a managed PDF',
    description: 'The answer also has the job, version and business key of the PDF.',
    success: { status: 200, schema: pdfAnswer },
    errors: ['pdf_not_found'],
  }),
  deletePdf: route({
    method: 'delete',
    path: '/pdfs/{pdfId}',
    tag: 'Managed PDFs',
    summary: 'Delete a managed PDF and its permanent links',
    description:
      'Also deletes the output of its job. All links to both stop working, and their storage is freed.',
    success: { status: 204 },
    errors: ['pdf_not_found'],
  }),
  createPdfDownload: route({
    ...signedLink,
    path: '/pdfs/{pdfId}/download',
    tag: 'Managed PDFs',
    summary: 'Get a short-lived link that downloads the PDF',
    description: 'Everyone who has the link can use it without a key. It expires at `expiresAt`.',
    errors: ['pdf_not_found', 'storage_unavailable'],
  }),
  createPdfPreview: route({
    ...signedLink,
    path: '/pdfs/{pdfId}/preview',
    tag: 'Managed PDFs',
    summary: 'Get a short-lived link that shows the PDF in the browser',
    description: 'Like the download, but the browser shows the PDF.',
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
    summary: 'Create a public link that works until it or the PDF is deleted',
    description: 'Everyone who has the `url` can download the PDF. Each call creates another link.',
    success: { status: 201, schema: permanentLinkAnswer },
    errors: ['pdf_not_found'],
  }),
  deletePermanentLink: route({
    method: 'delete',
    path: '/pdfs/{pdfId}/permanent-links/{linkId}',
    tag: 'Managed PDFs',
    summary: 'Delete a permanent link at once',
    description: 'Other links to the PDF still work.',
    success: { status: 204 },
    errors: ['pdf_not_found', 'permanent_link_not_found'],
  }),
} as const satisfies Record<string, Route>;
