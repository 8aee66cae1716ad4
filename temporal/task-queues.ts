import type { Client } from '@temporalio/client';
import type { TaskQueueStatus } from '../contracts/admin/queue.ts';
import { ServiceError } from '../contracts/errors.ts';
import { parseWorkerIdentity } from '../contracts/processes/worker-identity.ts';
import { taskQueues } from '../contracts/processes/workflows.ts';
import { answerWithin } from './connection.ts';

/** An operator waits at most this long for the page, and can reload it. */
const callDeadlineMs = 2_000;

/** Values of Temporal's enum `TaskQueueType`. */
const taskQueueTypes = { workflow: 1, activity: 2 } as const;

const ourQueues = [
  [taskQueues.control, 'workflow'],
  [taskQueues.control, 'activity'],
  [taskQueues.render, 'activity'],
  [taskQueues.webhooks, 'activity'],
] as const;

/**
 * Reads the state of our task queues from Temporal: how many tasks wait, and which workers poll.
 *
 * @throws ServiceError `service_unavailable` when Temporal does not answer in time
 */
export async function readTaskQueues(temporal: Client): Promise<TaskQueueStatus[]> {
  try {
    return await answerWithin(temporal, callDeadlineMs, () =>
      Promise.all(ourQueues.map(([name, kind]) => describe(temporal, name, kind))),
    );
  } catch (cause) {
    throw new ServiceError('service_unavailable', undefined, { cause });
  }
}

async function describe(
  temporal: Client,
  name: string,
  kind: keyof typeof taskQueueTypes,
): Promise<TaskQueueStatus> {
  const { pollers, stats } = await temporal.workflowService.describeTaskQueue({
    namespace: temporal.options.namespace,
    taskQueue: { name },
    taskQueueType: taskQueueTypes[kind],
    reportStats: true,
  });
  return {
    name,
    kind,
    backlog: Number(stats?.approximateBacklogCount ?? 0),
    backlogAgeMs: toMs(stats?.approximateBacklogAge),
    workers: pollers.map(({ identity, lastAccessTime }) => {
      const worker = parseWorkerIdentity(identity ?? '');
      return {
        identity: identity ?? '',
        lastSeenAt: toMs(lastAccessTime),
        ...(worker && { slots: worker.slots, browsers: worker.browsers }),
      };
    }),
  };
}

/** Converts durations and timestamps of Protobuf to whole milliseconds. */
const toMs = (
  time:
    | { seconds?: { toString(): string } | number | null; nanos?: number | null }
    | null
    | undefined,
): number => Math.floor(Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1e6);
