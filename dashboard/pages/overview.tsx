import { Anchor, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { admin } from '../admin.ts';
import { RecentJobs } from '../components/jobs/job-list.tsx';
import { FirstSteps, newestJobInput } from '../components/overview/first-steps.tsx';
import { WorkspaceQueue } from '../components/queue/workspace-queue.tsx';
import { ErrorNotice } from '../components/ui/notice.tsx';
import { PageHeader } from '../components/ui/page.tsx';
import { JobsByDay } from '../components/usage/charts.tsx';
import { UsagePanel } from '../components/usage/usage-panel.tsx';
import { useWorkspace } from '../session.tsx';

/** The state of the workspace, or the first steps while it has no jobs. */
export default function Overview() {
  const { id: workspaceId, name } = useWorkspace();
  const {
    data: jobs,
    error,
    refetch,
  } = useQuery(admin.jobs.search.queryOptions(newestJobInput(workspaceId)));
  const isNew = jobs?.items.length === 0;
  return (
    <>
      <PageHeader title={name} />
      {!jobs ? (
        error ? (
          <ErrorNotice error={error} retry={refetch} />
        ) : (
          <Skeleton h={420} />
        )
      ) : isNew ? (
        <FirstSteps />
      ) : (
        <Stack gap="lg">
          <WorkspaceQueue />
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
            <JobsByDay />
            <UsagePanel
              columns={1}
              actions={
                <Anchor component={Link} to={`/${workspaceId}/usage`} size="sm">
                  All usage
                </Anchor>
              }
            />
          </SimpleGrid>
          <RecentJobs />
        </Stack>
      )}
    </>
  );
}
