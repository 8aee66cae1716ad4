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
  deleteOutbox,
  leaseOutbox,
  type OutboxMessage,
  type OutboxRow,
  postponeOutbox,
} from '../store/database/outbox.ts';
import { callWithin } from './connection.ts';

/** The outbox is read at least this often, for what other processes left behind. */
const pollIntervalMs = 1_000;
/** Calls under way at once: enough to fill the server, few enough that a page of starts does not starve the signals. */
const maxCalls = 16;
/** A call that takes longer counts as failed; the server may still have made it, which the next try will find. */
const callDeadlineMs = 2_000;
/** Longer than a call can take, so that no other relay makes the same call meanwhile. */
const leaseMs = 10_000;
/**
 * A workflow task takes milliseconds. One that was given to a worker which then froze goes to another after this long, and not
 * after the default of 10 s [measured: 22 s until another worker had the job].
 */
const workflowTaskTimeout = '5s';
/** Between the tries of one message, and before the next read when Temporal does not answer. */
const retryDelayMs = 1_000;

export interface Relay extends AsyncDisposable {
  /** Something was just written to the outbox: read it now. */
  wake(): void;
}

export interface RelayDependencies {
  readonly sql: Sql;
  readonly temporal: Client;
  readonly log: Logger;
  /** Address of the dashboard; where it is given, workflows link to their page. */
  readonly publicUrl?: string | undefined;
}

/**
 * Makes the calls to Temporal that transactions owe, at least once and in order for each workflow. Every process with a
 * store runs one; a lease keeps two from making the same call.
 */
export function startRelay(dependencies: RelayDependencies): Relay {
  const { sql, log } = dependencies;
  const calls = new Set<Promise<void>>();
  const stopping = new AbortController();
  let woken = Promise.withResolvers<void>();

  const deliver = async (row: OutboxRow): Promise<void> => {
    try {
      await makeCall(dependencies, row);
      await deleteOutbox(sql, [row.id]);
    } catch (error) {
      log.warn(
        { err: error, workflowId: row.workflowId, failures: row.failures + 1 },
        'a call to Temporal failed; it is made again',
      );
      await postponeOutbox(sql, row.id, Date.now() + retryDelayMs);
    }
  };

  const launch = (row: OutboxRow): void => {
    const call = deliver(row)
      .catch((error: unknown) =>
        log.error({ err: error, workflowId: row.workflowId }, 'the outbox could not be written'),
      )
      .finally(() => {
        calls.delete(call);
        woken.resolve();
      });
    calls.add(call);
  };

  /** Reads what there is room for; true when there may be more. */
  const readOutbox = async (): Promise<boolean> => {
    const room = maxCalls - calls.size;
    if (room <= 0) return false;
    const rows = await leaseOutbox(sql, room, Date.now(), leaseMs);
    rows.forEach(launch);
    return rows.length === room;
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = Promise.withResolvers();
      const more = await readOutbox().catch(async (error: unknown) => {
        log.warn({ err: error }, 'the outbox could not be read; it is read again');
        await timer(retryDelayMs, stopping.signal);
        return false;
      });
      if (!more) await Promise.race([woken.promise, timer(pollIntervalMs, stopping.signal)]);
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

/** Resolves after `ms`, or at once when stopped; its timer does not keep a process alive. */
const timer = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {});

/** Makes one call. One that was made before, or whose workflow is gone with its retention, counts as made. */
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
    // Of its workflow tasks and activities: a workspace that starts a thousand does not hold up another's one.
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
