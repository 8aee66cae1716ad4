import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import type { Logger } from 'pino';
import {
  createControlActivities,
  createRenderActivities,
  createWebhookActivities,
} from '../activities/activities.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import { createDocumentCache } from '../activities/document-cache.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { workerIdentity } from '../contracts/processes/worker-identity.ts';
import {
  taskQueues,
  webhookAttemptTimeoutMs,
  webhookOverheadMs,
} from '../contracts/processes/workflows.ts';
import { systemNetwork } from '../network/network.ts';
import { createRenderer } from '../renderer/renderer.ts';
import { openStore } from '../store/store.ts';
import { ensureCleanUpSchedule } from '../temporal/clean-up-schedule.ts';
import { createTemporalClient } from '../temporal/connection.ts';
import { startReconciliation } from '../temporal/reconcile.ts';
import { startRelay } from '../temporal/relay.ts';
import { removeAbandonedFolders } from './abandoned-folders.ts';
import { connectWorker } from './connect.ts';
import { keepPolling } from './keep-polling.ts';

/** Activities that only speak to PostgreSQL and the blob storage; more at once would wait for the pool. */
const maxControlActivities = 20;
/** Webhooks under way at once: they wait for strangers and cost next to nothing meanwhile. */
const maxWebhookActivities = 100;
/** A workflow whose worker died is given to another after this long, not after the default of 10 s. */
const stickyScheduleToStart = '1s';
/** Cancellation and lost workers are noticed by heartbeats; they go out at least this often. */
const heartbeatThrottle = '1s';
/** What a worker that stops gives its renders beyond their limit. */
const graceBeyondLimitMs = 30_000;

/**
 * A worker process: prints what the queue `render` holds, sends what `webhooks` holds, moves on what `control` holds.
 * Disposing of it lets running prints end first, then settles, then closes.
 */
export async function startWorker(
  config: Config,
  log: Logger,
  signal: AbortSignal,
): Promise<AsyncDisposable> {
  const { engine, executablePath, workFolder } = config.renderer;
  if (engine === 'pipe' && !executablePath)
    throw new ConfigError('CHROMIUM_PATH: the worker needs the path of a Chromium.');
  if (config.blobs.provider === 'none')
    throw new ConfigError(
      'The worker needs a storage: give AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_ACCOUNT with a managed identity.',
    );
  installRuntime(log);
  await removeAbandonedFolders(workFolder);
  await using starting = new AsyncDisposableStack();
  const store = starting.use(await openStore(config));
  const temporal = createTemporalClient(config.temporal);
  starting.defer(() => temporal.connection.close());
  const relay = starting.use(
    startRelay({ sql: store.sql, temporal, log, publicUrl: config.http.publicUrl }),
  );
  const { egressAllow, plans, renderRetryDelaysMs: retryDelaysMs, transientOutputTtlMs } = config;
  starting.use(
    startReconciliation({
      sql: store.sql,
      temporal,
      plans,
      retryDelaysMs,
      log,
      wakeRelay: relay.wake,
    }),
  );
  const renderer = starting.use(await createRenderer({ ...config.renderer, egressAllow, log }));
  const documents = starting.use(
    await createDocumentCache(store.blobs, join(workFolder, 'documents')),
  );
  const dependencies = {
    store,
    renderer,
    documents,
    plans,
    transientOutputTtlMs,
    webhooks: {
      retryScheduleMs: config.webhookRetryScheduleMs,
      egressAllow,
      attemptTimeoutMs: webhookAttemptTimeoutMs,
      network: systemNetwork,
    },
    log,
    wakeRelay: relay.wake,
  };

  const workflowBundle = await bundleWorkflows();
  const start = (stopping: AbortSignal) =>
    startPolling(config, temporal, dependencies, workflowBundle, stopping);
  starting.use(await keepPolling({ temporal, log, start, signal }));
  log.info(
    { slots: config.renderer.slots, engine, chromium: renderer.chromiumVersion },
    'the worker works',
  );
  return starting.move();
}

/**
 * Polls all queues; disposing of it lets running prints end first, then what they settle. Called again after an outage of
 * Temporal, which may have come back with an empty store: the schedule is made sure of each time.
 */
async function startPolling(
  { temporal, plans, renderer, cleanUpIntervalMs }: Config,
  client: Client,
  dependencies: ActivityDependencies,
  workflowBundle: WorkflowBundleWithSourceMap,
  stopping: AbortSignal,
): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const connection = await connectWorker(temporal, dependencies.log, stopping);
  starting.defer(() => connection.close());
  await ensureCleanUpSchedule(client, cleanUpIntervalMs).catch((error: unknown) =>
    dependencies.log.warn(
      { err: error },
      'the clean-up could not be scheduled; the next worker tries again',
    ),
  );
  const { slots, browsers } = renderer;
  const identity = workerIdentity({ pid: process.pid, host: hostname(), slots, browsers });
  const options = { connection, namespace: temporal.namespace, identity };
  const control = await Worker.create({
    ...options,
    taskQueue: taskQueues.control,
    workflowBundle,
    activities: createControlActivities(dependencies),
    maxConcurrentActivityTaskExecutions: maxControlActivities,
    stickyQueueScheduleToStartTimeout: stickyScheduleToStart,
  });
  const longestLimitMs = Math.max(
    ...Object.values(plans).map(({ policy }) => policy.maxRenderTimeoutMs),
  );
  const render = await Worker.create({
    ...options,
    taskQueue: taskQueues.render,
    activities: createRenderActivities(dependencies),
    maxConcurrentActivityTaskExecutions: renderer.slots,
    maxHeartbeatThrottleInterval: heartbeatThrottle,
    shutdownGraceTime: longestLimitMs + graceBeyondLimitMs,
  });
  const webhooks = await Worker.create({
    ...options,
    taskQueue: taskQueues.webhooks,
    activities: createWebhookActivities(dependencies),
    maxConcurrentActivityTaskExecutions: maxWebhookActivities,
    shutdownGraceTime: webhookAttemptTimeoutMs + webhookOverheadMs,
  });
  starting.use(run(control));
  starting.use(run(webhooks));
  starting.use(run(render));
  return starting.move();
}

/** Said of each worker that has activities only, as ours for printing and webhooks are meant to. */
const noWorkflows = 'No workflows registered';

/** Our process handles signals, in our order; the SDK's lines go to our log. */
function installRuntime(log: Logger): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      if (message.startsWith(noWorkflows)) return;
      const write = level === 'ERROR' ? log.error : log.warn;
      write.call(log, { sdk: meta }, message);
    }),
    // Without this the native part writes lines of its own, which are no JSON, to standard output.
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} },
    },
  });
}

const bundleWorkflows = () =>
  bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../workflows/workflows.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  });

/** A worker that fails takes the process down, which its supervisor starts again. */
function run(worker: Worker): AsyncDisposable {
  const running = worker.run();
  running.catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  });
  return {
    async [Symbol.asyncDispose]() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    },
  };
}
