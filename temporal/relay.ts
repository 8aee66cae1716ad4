import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { Logger } from 'pino';
import { searchAttributes, taskQueues } from '../contracts/processes/workflows.ts';
import type { Sql } from '../store/database/connection.ts';
import {
  deleteOutboxMessages,
  leaseOutboxMessages,
  type OutboxMessage,
  type OutboxRow,
  postponeOutboxMessage,
} from '../store/database/outbox.ts';
import { callWithin } from './connection.ts';

/** The relay reads the outbox at least this often, because a process may end before it has sent its messages. */
const pollIntervalMs = 1_000;
/** Calls at once: enough to keep the server busy, and so few that many starts do not delay signals for long. */
const maxCalls = 16;
/** A call that takes longer counts as failed. If the server has executed it nevertheless, the next try finds that out. */
const callDeadlineMs = 2_000;
/** Longer than a call can take, so that no other relay makes the same call at the same time. */
const leaseMs = 10_000;
/**
 * A workflow task takes milliseconds. If a worker freezes, another worker gets its task after this time. The default is 10 s
 * [measured with the default: 22 s until another worker had the job].
 */
const workflowTaskTimeout = '5s';
/** The pause between tries of one message, and after the outbox could not be read. */
const retryDelayMs = 1_000;

export interface Relay extends AsyncDisposable {
  /** Makes the relay read the outbox now. Call it after writing to the outbox. */
  wake(): void;
}

export interface RelayDependencies {
  readonly sql: Sql;
  readonly temporal: Client;
  readonly log: Logger;
  /** The base URL of the service. With it, workflows in the Temporal UI link to their page of the dashboard. */
  readonly publicUrl?: string | undefined;
}

/**
 * Starts the relay: it reads the calls to Temporal that transactions wrote to the outbox, and makes them. Each call is made at
 * least once, and the calls of one workflow in order. Every API and worker process runs a relay. A lease prevents that two of
 * them make the same call.
 */
export function startRelay(dependencies: RelayDependencies): Relay {
  const { sql, log } = dependencies;
  const calls = new Set<Promise<void>>();
  const stopping = new AbortController();
  let woken = Promise.withResolvers<void>();

  const deliver = async (row: OutboxRow): Promise<void> => {
    try {
      await makeCall(dependencies, row);
      await deleteOutboxMessages(sql, [row.id]);
    } catch (error) {
      log.warn(
        { err: error, workflowId: row.workflowId, failures: row.failures + 1 },
        'a call to Temporal failed; the relay tries again',
      );
      await postponeOutboxMessage(sql, row.id, Date.now() + retryDelayMs);
    }
  };

  const startCall = (row: OutboxRow): void => {
    const call = deliver(row)
      .catch((error: unknown) =>
        log.error(
          { err: error, workflowId: row.workflowId },
          'the result of a call could not be written to the outbox; the call is made again when its lease ends',
        ),
      )
      .finally(() => {
        calls.delete(call);
        woken.resolve();
      });
    calls.add(call);
  };

  /** Leases as many messages as there are free calls, and starts the calls. Returns true when more messages may be due. */
  const readOutbox = async (): Promise<boolean> => {
    const room = maxCalls - calls.size;
    if (room <= 0) return false;
    const rows = await leaseOutboxMessages(sql, room, Date.now(), leaseMs);
    rows.forEach(startCall);
    return rows.length === room;
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = Promise.withResolvers();
      const more = await readOutbox().catch(async (error: unknown) => {
        log.warn({ err: error }, 'the outbox could not be read; the relay tries again');
        await wait(retryDelayMs, stopping.signal);
        return false;
      });
      if (!more) await Promise.race([woken.promise, wait(pollIntervalMs, stopping.signal)]);
    }
    await Promise.all(calls);
  };

  const running = run();
  return {
    wake: () => woken.resolve(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

/** Resolves after `ms`, or when the signal aborts. Its timer does not keep the process alive. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {});

/** Makes one call. It also succeeds when the workflow was started before, or when it has ended or does not exist. */
async function makeCall(
  { temporal, publicUrl }: RelayDependencies,
  { workflowId, message }: OutboxRow,
): Promise<void> {
  await callWithin(temporal, callDeadlineMs, async () => {
    try {
      if (message.kind === 'start') await start(temporal, workflowId, message, publicUrl);
      else if (message.kind === 'signal')
        await temporal.workflow.getHandle(workflowId).signal(message.signal);
      else await temporal.workflow.getHandle(workflowId).cancel();
    } catch (error) {
      if (
        !(
          error instanceof WorkflowExecutionAlreadyStartedError ||
          error instanceof WorkflowNotFoundError
        )
      )
        throw error;
    }
  });
}

const keyword = (name: string) => defineSearchAttributeKey(name, 'KEYWORD');

function start(
  temporal: Client,
  workflowId: string,
  message: OutboxMessage & { kind: 'start' },
  publicUrl: string | undefined,
) {
  return temporal.workflow.start(message.workflowType, {
    workflowId,
    taskQueue: taskQueues.control,
    args: [message.input],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowTaskTimeout,
    // Temporal shares workflow tasks and activities fairly by this key: a thousand jobs of one workspace do not delay another's.
    priority: { fairnessKey: message.searchAttributes.workspaceId },
    staticSummary: message.summary,
    ...(publicUrl &&
      message.page && { staticDetails: `[Open in the dashboard](${publicUrl}${message.page})` }),
    memo: message.memo,
    typedSearchAttributes: Object.entries(message.searchAttributes).map(([key, value]) => ({
      key: keyword(searchAttributes[key as keyof typeof searchAttributes]),
      value,
    })),
  });
}
