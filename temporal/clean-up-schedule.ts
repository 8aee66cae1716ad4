import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { cleanUpScheduleId, taskQueues, workflowTypes } from '../contracts/processes/workflows.ts';
import { callWithin } from './connection.ts';

const callDeadlineMs = 10_000;

/** Creates the schedule of the clean-up, or updates it. Every worker calls this when it starts, and after outages of Temporal. */
export async function ensureCleanUpSchedule(temporal: Client, intervalMs: number): Promise<void> {
  const spec = { intervals: [{ every: intervalMs }] };
  const schedule = {
    scheduleId: cleanUpScheduleId,
    spec,
    action: {
      type: 'startWorkflow' as const,
      workflowType: workflowTypes.cleanUp,
      workflowId: cleanUpScheduleId,
      taskQueue: taskQueues.control,
    },
    // One run at a time. The next run continues where a slow one ended.
    policies: { overlap: ScheduleOverlapPolicy.SKIP },
  };
  await callWithin(temporal, callDeadlineMs, async () => {
    try {
      await temporal.schedule.create(schedule);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await temporal.schedule
        .getHandle(cleanUpScheduleId)
        .update((known) => ({ ...known, spec, action: { ...schedule.action } }));
    }
  });
}
