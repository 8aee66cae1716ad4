import { Anchor, Group, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { admin } from '../../admin.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { DataTable } from '../data-table.tsx';
import { jobColumns } from '../jobs/job-columns.tsx';
import { rowsOfList } from '../table-rows.ts';

const shown = 8;
const refreshMs = 5_000;

/** The newest, as they move. */
export function RecentJobs() {
  const { id: workspaceId } = useWorkspace();
  const jobs = useQuery({
    ...admin.jobs.search.queryOptions({ workspaceId, limit: shown }),
    refetchInterval: refreshMs,
  });
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Title order={2}>Recent jobs</Title>
        <Anchor component={Link} to={`/${workspaceId}/jobs`} size="sm">
          All jobs
        </Anchor>
      </Group>
      <DataTable
        caption="Recent jobs"
        {...rowsOfList(jobs)}
        rowKey={({ id }) => id}
        columns={jobColumns(() => undefined)}
        empty={null}
      />
    </div>
  );
}
