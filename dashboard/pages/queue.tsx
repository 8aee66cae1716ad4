import { Stack } from '@mantine/core';
import { PageHeader } from '../components/page-header.tsx';
import { AllQueues } from '../components/queue/all-queues.tsx';
import { TaskQueues } from '../components/queue/task-queues.tsx';
import { WorkspaceQueue } from '../components/queue/workspace-queue.tsx';
import { useAccount } from '../layout/account.tsx';

/** What waits, for how long, and who works on it. */
export default function Queue() {
  const { operator } = useAccount();
  return (
    <>
      <PageHeader
        title="Queue"
        description="Jobs that have not ended. Those beyond what the plan allows at once wait for a place."
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
