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

/** These activities use only PostgreSQL and the blob storage. More of them at once would wait for the connection pool. */
const maxControlActivities = 20;
/** Webhooks mostly wait for other servers, which costs a worker almost nothing. */
const maxWebhookActivities = 100;
/** Another worker gets the workflow of a worker that died after this time, not after the default of 10 s. */
const stickyScheduleToStart = '1s';
/** The SDK passes on heartbeats at least this often. By heartbeats Temporal notices lost workers, and activities notice cancellations. */
const heartbeatThrottle = '1s';
/** A stopping worker cancels renders only after the longest time limit of all plans plus this time. */
const graceBeyondLimitMs = 30_000;

/**
 * Starts a worker: the queue `render` prints, `webhooks` sends webhooks, `control` runs workflows and all other activities.
 * Disposing of it waits for running prints, then for the activities that settle them, and then closes the connections.
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
      'The worker needs a blob storage: set AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_ACCOUNT with a managed identity.',
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
    'the worker is ready',
  );
  return starting.move();
}

/**
 * Polls all queues. Disposing of the result waits for running prints first, then for the activities that settle them. It is
 * called again after an outage of Temporal. Temporal may then have lost its data, so the clean-up schedule is created each time.
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
      'the clean-up could not be scheduled; the next worker that starts tries again',
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

/** The start of a warning of the SDK for each worker that has only activities. Our workers for printing and webhooks are like that. */
const noWorkflowsWarning = 'No workflows registered';

/** Leaves signals to `runProcess`, and sends the warnings and errors of the SDK to our log. */
function installRuntime(log: Logger): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      if (message.startsWith(noWorkflowsWarning)) return;
      const write = level === 'ERROR' ? log.error : log.warn;
      write.call(log, { sdk: meta }, message);
    }),
    // Without this the SDK's native part writes lines that are not JSON to standard output.
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

/** Runs a worker of the SDK. If it fails, the whole process stops, and the supervisor starts it again. */
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
