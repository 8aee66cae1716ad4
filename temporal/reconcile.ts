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
/** Work that is younger than this is not checked: its start may still wait in the outbox. */
const graceMs = 15_000;
/** Rows that are in memory at once. */
const pageSize = 5_000;
/**
 * The pause after a round is at least this many times as long as the round. This limits the load on the database and Temporal
 * when there is a lot of open work.
 */
const minPauseFactor = 4;
const parallelChecks = 8;
const callDeadlineMs = 2_000;

export interface ReconciliationDependencies {
  readonly sql: Sql;
  readonly temporal: Client;
  readonly plans: PlanCatalogue;
  readonly retryDelaysMs: readonly number[];
  readonly log: Logger;
  /** Makes the relay read the outbox now. */
  readonly wakeRelay: () => void;
}

/**
 * Admits waiting jobs and compares open rows with running workflows, in rounds with a pause of at least 15 s, in one process at a
 * time. Work without a workflow gets a new one: Temporal has lost its data. Work whose workflow has ended is ended too: an
 * operator has terminated the workflow.
 */
export function startReconciliation(dependencies: ReconciliationDependencies): AsyncDisposable {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    let pauseMs = intervalMs;
    while (!stopping.signal.aborted) {
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (stopping.signal.aborted) return;
      const startedAt = performance.now();
      await withAdvisoryLock(dependencies.sql, 'reconciliation', () =>
        reconcile(dependencies, Date.now()),
      ).catch((error: unknown) =>
        dependencies.log.warn({ err: error }, 'reconciliation failed; it runs again after a pause'),
      );
      pauseMs = Math.max(intervalMs, minPauseFactor * (performance.now() - startedAt));
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

type RepairDependencies = Pick<ReconciliationDependencies, 'temporal'> & {
  readonly log: Pick<Logger, 'warn'>;
};

/** Runs one round now: admits jobs in all workspaces, and checks open work that is older than `olderThanMs`. Tests call it too. */
export async function reconcile(
  dependencies: Omit<ReconciliationDependencies, 'log'> & RepairDependencies,
  now: number,
  olderThanMs: number = graceMs,
): Promise<void> {
  const { sql, temporal, plans, retryDelaysMs, log } = dependencies;
  // A failure in one workspace or workflow must not stop the round for the others.
  await admitEverywhere(sql, plans, now).catch((error: unknown) =>
    log.warn(
      { err: error },
      'the jobs of a workspace could not be admitted; the next round tries again',
    ),
  );
  let running: Set<string> | undefined;
  const before = now - olderThanMs;
  for await (const open of listOpenWork(sql, { plans, retryDelaysMs, before, pageSize })) {
    if (open.length === 0) continue;
    running ??= await listRunning(temporal);
    const maybeLost = open.filter(({ workflowId }) => !running?.has(workflowId));
    await repairAll(dependencies, maybeLost, now);
  }
  dependencies.wakeRelay();
}

async function repairAll(
  dependencies: RepairDependencies,
  works: readonly OpenWork[],
  now: number,
): Promise<void> {
  for (let first = 0; first < works.length; first += parallelChecks)
    await Promise.all(
      works
        .slice(first, first + parallelChecks)
        .map((work) =>
          repair(dependencies, work, now).catch((error: unknown) =>
            dependencies.log.warn(
              { err: error, workflowId: work.workflowId },
              'open work could not be repaired; the next round tries again',
            ),
          ),
        ),
    );
}

/** Temporal's list lags a little behind. A workflow that is missing in it may still run. */
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

/** Looks at the workflow itself. Starts it again if it does not exist, and ends the work if the workflow has ended. */
async function repair(
  { temporal, log }: RepairDependencies,
  work: OpenWork,
  now: number,
): Promise<void> {
  const state = await getWorkflowState(temporal, work.workflowId);
  if (state === 'running') return;
  log.warn({ workflowId: work.workflowId, state }, 'open work has no running workflow');
  await (state === 'missing' ? work.restart() : work.fail(now));
}

async function getWorkflowState(temporal: Client, workflowId: string): Promise<WorkflowState> {
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
