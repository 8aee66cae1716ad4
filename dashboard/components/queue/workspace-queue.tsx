import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { admin } from '../../admin.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { Figure, Figures } from '../figures.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { queueRefreshMs } from './queue-refresh.ts';

/** Where the jobs of this workspace stand. */
export function WorkspaceQueue() {
  const { id: workspaceId } = useWorkspace();
  const options = admin.queue.get.queryOptions({ workspaceId });
  const { data, error, refetch } = useQuery({ ...options, refetchInterval: queueRefreshMs });
  if (error && !data) return <ErrorNotice error={error} retry={refetch} />;
  return (
    <Stack gap="sm">
      {error && <ErrorNotice error={error} retry={refetch} />}
      <Figures label="Jobs of this workspace">
        <Figure label="Rendering" value={data?.rendering} />
        <Figure label="Waiting for a browser" value={data?.admitted} />
        <Figure label="Waiting for a place" value={data?.notAdmitted} />
        <Figure
          label="Oldest waits since"
          value={data && (data.oldestQueuedAt ? <RelativeTime at={data.oldestQueuedAt} /> : '–')}
        />
      </Figures>
    </Stack>
  );
}
