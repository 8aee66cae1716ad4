import { Button, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../admin.ts';
import { useWorkspace } from '../../session.tsx';
import { ErrorNotice, notifyFailure } from '../ui/notice.tsx';
import classes from './pdf-preview.module.css';

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

/** The PDF in the browser's own viewer. `title` says which, for whoever cannot see it. */
export function PdfPreview({ source, title }: { source: PdfSource; title: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery({
    queryKey: ['preview', workspaceId, source],
    queryFn: () => createLink(workspaceId, source, 'inline'),
    // Another link would load the PDF again under the eyes of whoever reads it; each showing makes one, and no more.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error) return <ErrorNotice error={error} retry={refetch} />;
  return (
    <div className={classes.sheet}>
      {data ? (
        <iframe className={classes.frame} src={data.url} title={title} />
      ) : (
        <Skeleton className={classes.frame ?? ''} radius={0} />
      )}
    </div>
  );
}

/** Makes a link and follows it; the page stays, for the link is answered with a file to keep. */
export function DownloadButton({ source }: { source: PdfSource }) {
  const { id: workspaceId } = useWorkspace();
  const download = useMutation({
    mutationFn: () => createLink(workspaceId, source, 'attachment'),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: notifyFailure,
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      Download
    </Button>
  );
}
