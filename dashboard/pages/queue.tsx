import { Anchor, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { admin } from '../admin.ts';
import { queueRefreshMs, WorkspaceQueue } from '../components/queue/workspace-queue.tsx';
import { DataTable, rowsOfList } from '../components/ui/data-table.tsx';
import { EmptyState } from '../components/ui/empty-state.tsx';
import { PageHeader } from '../components/ui/page.tsx';
import { UnframedPanel } from '../components/ui/panel.tsx';
import { RelativeTime } from '../components/ui/text.tsx';
import { formatDuration, formatNumber } from '../formats.ts';
import { useAccount } from '../session.tsx';

/** The jobs that have not ended. Operators also see all workspaces and the workers. */
export default function Queue() {
  const { operator } = useAccount();
  return (
    <>
      <PageHeader
        title="Queue"
        description="Jobs that have not ended. Jobs above the concurrency limit of the plan wait for a slot."
      />
      <Stack gap="xl">
        <WorkspaceQueue />
        {operator && (
          <>
            <AllQueues />
            <TaskQueues />
          </>
        )}
      </Stack>
    </>
  );
}

/** Shows operators the queues of all workspaces, the longest waiting first. */
function AllQueues() {
  const queues = useQuery({
    ...admin.queue.list.queryOptions(),
    refetchInterval: queueRefreshMs,
  });
  return (
    <UnframedPanel title="All workspaces">
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
            header: 'Waiting for a slot',
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
          <EmptyState title="No jobs waiting">All jobs of all workspaces have ended.</EmptyState>
        }
      />
    </UnframedPanel>
  );
}

/** Shows operators the task queues of Temporal and their workers. */
function TaskQueues() {
  const queues = useQuery({
    ...admin.queue.workers.queryOptions(),
    refetchInterval: queueRefreshMs,
  });
  return (
    <UnframedPanel title="Workers">
      <DataTable
        caption="Task queues and their workers"
        {...rowsOfList(queues)}
        rowKey={({ name, kind }) => `${name}/${kind}`}
        columns={[
          {
            header: 'Task queue',
            cell: ({ name, kind }) => (
              <>
                <strong>{name}</strong> {kind}
              </>
            ),
          },
          { header: 'Backlog', align: 'end', cell: ({ backlog }) => formatNumber(backlog) },
          {
            header: 'Oldest',
            align: 'end',
            cell: ({ backlog, backlogAgeMs }) => (backlog > 0 ? formatDuration(backlogAgeMs) : '–'),
          },
          {
            header: 'Workers',
            cell: ({ workers }) =>
              workers.length === 0
                ? 'None'
                : workers.map(({ identity, lastSeenAt }) => (
                    <div key={identity}>
                      <code>{identity}</code> <RelativeTime at={lastSeenAt} />
                    </div>
                  )),
          },
        ]}
        empty={<EmptyState title="No task queues yet" />}
      />
    </UnframedPanel>
  );
}
