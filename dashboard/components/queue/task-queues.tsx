import { useQuery } from '@tanstack/react-query';
import { admin } from '../../admin.ts';
import { formatDuration, formatNumber } from '../../formats.ts';
import { DataTable } from '../data-table.tsx';
import { EmptyState } from '../empty-state.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { Section } from '../section.tsx';
import { rowsOfList } from '../table-rows.ts';
import { queueRefreshMs } from './queue-refresh.ts';

/** For operators: Temporal's queues, and the processes that take from them. */
export function TaskQueues() {
  const queues = useQuery({
    ...admin.queue.workers.queryOptions(),
    refetchInterval: queueRefreshMs,
  });
  return (
    <Section title="Workers">
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
        empty={<EmptyState title="Temporal knows no task queue of ours yet" />}
      />
    </Section>
  );
}
