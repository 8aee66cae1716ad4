import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useWorkspace } from '../../layout/workspace.tsx';
import { notifyFailure } from '../notify-failure.ts';
import { createLink, type PdfSource } from './pdf-source.ts';

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
