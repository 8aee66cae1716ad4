import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { admin } from '../../admin.ts';
import { formatNumber } from '../../formats.ts';
import { DataTable } from '../data-table.tsx';
import { EmptyState } from '../empty-state.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { Section } from '../section.tsx';
import { rowsOfList } from '../table-rows.ts';
import { queueRefreshMs } from './queue-refresh.ts';

/** For operators: whoever waits longest is first. */
export function AllQueues() {
  const queues = useQuery({
    ...admin.queue.list.queryOptions(),
    refetchInterval: queueRefreshMs,
  });
  return (
    <Section title="All workspaces">
      <DataTable
        caption="Queues of all workspaces"
        {...rowsOfList(queues)}
        rowKey={({ workspaceId }) => workspaceId}
        columns={[
          {
            header: 'Workspace',
            cell: ({ workspaceId, workspaceName }) => (
              <Anchor component={Link} to={`/${workspaceId}/queue`}>
                {workspaceName}
              </Anchor>
            ),
          },
          { header: 'Rendering', align: 'end', cell: ({ rendering }) => formatNumber(rendering) },
          {
            header: 'Waiting for a browser',
            align: 'end',
            cell: ({ admitted }) => formatNumber(admitted),
          },
          {
            header: 'Waiting for a place',
            align: 'end',
            cell: ({ notAdmitted }) => formatNumber(notAdmitted),
          },
          {
            header: 'Oldest since',
            wideOnly: true,
            cell: ({ oldestQueuedAt }) =>
              oldestQueuedAt ? <RelativeTime at={oldestQueuedAt} /> : '–',
          },
        ]}
        empty={
          <EmptyState title="Nothing waits">All jobs of all workspaces have ended.</EmptyState>
        }
      />
    </Section>
  );
}
