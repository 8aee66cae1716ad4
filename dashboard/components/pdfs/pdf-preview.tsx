import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import classes from './pdf-preview.module.css';
import { createLink, type PdfSource } from './pdf-source.ts';

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
