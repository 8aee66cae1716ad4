import { client } from '../../admin.ts';

/** Where a PDF is: the output of a job, or a managed PDF. */
export type PdfSource = { readonly jobId: string } | { readonly pdfId: string };

/** A signed link that downloads the PDF, or shows it. */
export const createLink = (
  workspaceId: string,
  source: PdfSource,
  disposition: 'attachment' | 'inline',
): Promise<{ url: string; expiresAt: number }> =>
  'jobId' in source
    ? client.outputs.link.mutate({ workspaceId, ...source, disposition })
    : client.pdfs.link.mutate({ workspaceId, ...source, disposition });
