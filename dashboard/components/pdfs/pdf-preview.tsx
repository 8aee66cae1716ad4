import { Button, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../admin.ts';
import { useWorkspace } from '../../session.tsx';
import { ErrorNotice, notifyFailure } from '../ui/notice.tsx';
import classes from './pdf-preview.module.css';

/** The PDF to read: the output of a job, or a managed PDF. */
export type PdfSource = { readonly jobId: string } | { readonly pdfId: string };

/** Creates a signed link that downloads the PDF or shows it. */
const createLink = (
  workspaceId: string,
  source: PdfSource,
  disposition: 'attachment' | 'inline',
): Promise<{ url: string; expiresAt: number }> =>
  'jobId' in source
    ? client.outputs.link.mutate({ workspaceId, ...source, disposition })
    : client.pdfs.link.mutate({ workspaceId, ...source, disposition });

/** The PDF in the viewer of the browser. `title` names it for screen readers. */
export function PdfPreview({ source, title }: { source: PdfSource; title: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery({
    queryKey: ['preview', workspaceId, source],
    queryFn: () => createLink(workspaceId, source, 'inline'),
    // A new link would reload the PDF while somebody reads it. So each time the preview opens, it creates one link and keeps it.
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

/** Creates a link and opens it. The page stays open because the link answers with an attachment. */
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
