import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Logger } from 'pino';
import type { PlanCatalogue } from '../contracts/plans.ts';
import { withAdvisoryLock } from '../store/database/advisory-locks.ts';
import type { Sql } from '../store/database/connection.ts';
import { admitEverywhere } from '../store/jobs/admission.ts';
import { listOpenWork, type OpenWork } from '../store/open-work.ts';
import { callWithin } from './connection.ts';

const intervalMs = 15_000;
/** Younger work is on its way by the outbox. */
const graceMs = 15_000;
/** Rows that are held in memory at once. */
const pageSize = 5_000;
/** A round that took long, because very much is open, is not begun again before the database and Temporal had a rest. */
const restOfRound = 4;
const parallelChecks = 8;
const callDeadlineMs = 2_000;

export interface ReconciliationDependencies {
  readonly sql: Sql;
  readonly temporal: Client;
  readonly plans: PlanCatalogue;
  readonly retryDelaysMs: readonly number[];
  readonly log: Logger;
  /** The outbox was written to. */
  readonly wakeRelay: () => void;
}

/**
 * Compares open rows with running workflows, every 15 s in one process of all: work without a workflow gets one again
 * (Temporal's store was lost), work whose workflow ended without it is ended (an operator terminated it).
 */
export function startReconciliation(dependencies: ReconciliationDependencies): AsyncDisposable {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    let restMs = intervalMs;
    while (!stopping.signal.aborted) {
      await sleep(restMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (stopping.signal.aborted) return;
      const beganAt = performance.now();
      await withAdvisoryLock(dependencies.sql, 'reconciliation', () =>
        reconcile(dependencies, Date.now()),
      ).catch((error: unknown) =>
        dependencies.log.warn({ err: error }, 'reconciliation failed; it runs again'),
      );
      restMs = Math.max(intervalMs, restOfRound * (performance.now() - beganAt));
    }
  };
  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

type MendDependencies = Pick<ReconciliationDependencies, 'temporal'> & {
  readonly log: Pick<Logger, 'warn'>;
};

/** One round. Also called by tests, which do not wait 15 s. */
export async function reconcile(
  dependencies: Omit<ReconciliationDependencies, 'log'> & MendDependencies,
  now: number,
  olderThanMs: number = graceMs,
): Promise<void> {
  const { sql, temporal, plans, retryDelaysMs, log } = dependencies;
  // What fails for one workspace or workflow holds up no other.
  await admitEverywhere(sql, plans, now).catch((error: unknown) =>
    log.warn({ err: error }, 'a workspace could not be looked at; it is in the next round'),
  );
  let running: Set<string> | undefined;
  const before = now - olderThanMs;
  for await (const open of listOpenWork(sql, { plans, retryDelaysMs, before, pageSize })) {
    if (open.length === 0) continue;
    running ??= await listRunning(temporal);
    const suspects = open.filter(({ workflowId }) => !running?.has(workflowId));
    await mendAll(dependencies, suspects, now);
  }
  dependencies.wakeRelay();
}

async function mendAll(
  dependencies: MendDependencies,
  suspects: readonly OpenWork[],
  now: number,
): Promise<void> {
  for (let first = 0; first < suspects.length; first += parallelChecks)
    await Promise.all(
      suspects
        .slice(first, first + parallelChecks)
        .map((work) =>
          mend(dependencies, work, now).catch((error: unknown) =>
            dependencies.log.warn(
              { err: error, workflowId: work.workflowId },
              'open work could not be mended; it is in the next round',
            ),
          ),
        ),
    );
}

/** Visibility lags a little behind: what is missing here is only suspected. */
async function listRunning(temporal: Client): Promise<Set<string>> {
  const running = new Set<string>();
  for await (const { workflowId } of temporal.workflow.list({
    query: 'ExecutionStatus = "Running"',
    pageSize: 1_000,
  }))
    running.add(workflowId);
  return running;
}

type WorkflowState = 'running' | 'closed' | 'missing';

async function mend(
  { temporal, log }: MendDependencies,
  work: OpenWork,
  now: number,
): Promise<void> {
  const state = await describe(temporal, work.workflowId);
  if (state === 'running') return;
  log.warn({ workflowId: work.workflowId, state }, 'open work without a running workflow');
  await (state === 'missing' ? work.restart() : work.fail(now));
}

async function describe(temporal: Client, workflowId: string): Promise<WorkflowState> {
  try {
    const { status } = await callWithin(temporal, callDeadlineMs, () =>
      temporal.workflow.getHandle(workflowId).describe(),
    );
    return status.name === 'RUNNING' ? 'running' : 'closed';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'missing';
    throw error;
  }
}
