import { Stack } from '@mantine/core';
import { PageHeader } from '../components/page-header.tsx';
import { useAccount } from '../layout/account.tsx';
import { AllQueues } from '../queue/all-queues.tsx';
import { TaskQueues } from '../queue/task-queues.tsx';
import { WorkspaceQueue } from '../queue/workspace-queue.tsx';

/** What waits, for how long, and who works on it. */
export default function Queue() {
  const { operator } = useAccount();
  return (
    <>
      <PageHeader
        title="Queue"
        description="Jobs that have not ended. As many as the plan allows at once are admitted; the others wait their turn."
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
