import { proxyActivities } from '@temporalio/workflow';
import type { ControlActivities } from '../activities/activities.ts';
import { type CleanUpCounts, taskQueues } from '../contracts/processes/workflows.ts';

const { removeExpired } = proxyActivities<ControlActivities>({
  taskQueue: taskQueues.control,
  startToCloseTimeout: '5m',
  retry: { initialInterval: '1s', maximumAttempts: 3 },
});

/** Removes rows and blobs that have expired. The schedule `clean-up` starts it. If a run fails, the next one does its work. */
export function cleanUp(): Promise<CleanUpCounts> {
  return removeExpired();
}
