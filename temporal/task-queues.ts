import type { Client } from '@temporalio/client';
import type { TaskQueueStatus } from '../contracts/admin/queue.ts';
import { ServiceError } from '../contracts/errors.ts';
import { parseWorkerIdentity } from '../contracts/processes/worker-identity.ts';
import { taskQueues } from '../contracts/processes/workflows.ts';
import { answerWithin } from './connection.ts';

/** An operator who looks waits no longer; the same look again may find Temporal back. */
const callDeadlineMs = 2_000;

/** Values of Temporal's `TaskQueueType`. */
const typeOf = { workflow: 1, activity: 2 } as const;

const described = [
  [taskQueues.control, 'workflow'],
  [taskQueues.control, 'activity'],
  [taskQueues.render, 'activity'],
  [taskQueues.webhooks, 'activity'],
] as const;

/**
 * Our task queues as Temporal knows them: what waits, and which workers ask for it.
 *
 * @throws ServiceError `service_unavailable` when Temporal does not answer in time
 */
export async function readTaskQueues(temporal: Client): Promise<TaskQueueStatus[]> {
  try {
    return await answerWithin(temporal, callDeadlineMs, () =>
      Promise.all(described.map(([name, kind]) => describe(temporal, name, kind))),
    );
  } catch (cause) {
    throw new ServiceError('service_unavailable', undefined, { cause });
  }
}

async function describe(
  temporal: Client,
  name: string,
  kind: keyof typeof typeOf,
): Promise<TaskQueueStatus> {
  const { pollers, stats } = await temporal.workflowService.describeTaskQueue({
    namespace: temporal.options.namespace,
    taskQueue: { name },
    taskQueueType: typeOf[kind],
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

/** Protobuf's durations and timestamps, in whole ms. */
const toMs = (
  time:
    | { seconds?: { toString(): string } | number | null; nanos?: number | null }
    | null
    | undefined,
): number => Math.floor(Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1e6);
