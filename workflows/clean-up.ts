import { proxyActivities } from '@temporalio/workflow';
import type { ControlActivities } from '../activities/activities.ts';
import { type CleanUpCounts, taskQueues } from '../contracts/processes/workflows.ts';

const { removeExpired } = proxyActivities<ControlActivities>({
  taskQueue: taskQueues.control,
  startToCloseTimeout: '5m',
  retry: { initialInterval: '1s', maximumAttempts: 3 },
});

/** What time has made superfluous, started by the schedule `clean-up`; a run that fails leaves all to the next. */
export function cleanUp(): Promise<CleanUpCounts> {
  return removeExpired();
}
