import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { admin } from '../../admin.ts';
import { useWorkspace } from '../../session.tsx';
import { Figure, Figures } from '../ui/facts.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/text.tsx';

/** Often enough to follow a queue. Each call costs one query in the database. */
export const queueRefreshMs = 5_000;

/** The jobs of this workspace that render or wait. */
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
        <Figure label="Waiting for a slot" value={data?.notAdmitted} />
        <Figure
          label="Oldest waiting since"
          value={data && (data.oldestQueuedAt ? <RelativeTime at={data.oldestQueuedAt} /> : '–')}
        />
      </Figures>
    </Stack>
  );
}
