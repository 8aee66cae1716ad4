import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, ClientOptions } from '@temporalio/client';
import { pino } from 'pino';
import {
  type ControlActivities,
  createControlActivities,
  createRenderActivities,
  createWebhookActivities,
} from '../../activities/activities.ts';
import type { WebhookOptions } from '../../activities/dependencies.ts';
import { createDocumentCache } from '../../activities/document-cache.ts';
import { taskQueues, webhookAttemptTimeoutMs } from '../../contracts/processes/workflows.ts';
import type { RenderJobStatus } from '../../contracts/states.ts';
import { systemNetwork } from '../../network/network.ts';
import { createCursors } from '../../store/database/cursors.ts';
import { createWebhookSecrets } from '../../store/secrets/webhook-secrets.ts';
import type { Store } from '../../store/store.ts';
import { createWorkspace } from '../../store/workspaces/workspaces.ts';
import { reconcile } from '../../temporal/reconcile.ts';
import { type Relay, startRelay } from '../../temporal/relay.ts';
import { openContainer } from '../support/container.ts';
import { createDatabase } from '../support/database.ts';
import { poll } from '../support/poll.ts';
import { startForSuite } from '../support/suite-resources.ts';
import { connectTemporal } from '../support/temporal-client.ts';
import { createNamespace } from '../support/temporal-namespace.ts';
import { createFakeRenderer, type FakeRenderer } from './fake-renderer.ts';
import {
  acceptJob,
  type Commit,
  type CommitOptions,
  type Job,
  type JobOptions,
  plans,
  shortRetryDelaysMs,
  uploadAndCommit,
  type Workspace,
} from './fixtures.ts';
import { bundleWorkflows, runWorkers, simulateLostWorkers } from './workers.ts';

const log = pino({ level: 'silent' });
/** The base URL for links to the dashboard. Nothing runs there. */
export const publicUrl = 'https://print.example.com';
const transientOutputTtlMs = 86_400_000;
const secretKeys = [randomUUID()];

interface JobRow {
  readonly status: RenderJobStatus;
  readonly attempt: number;
  readonly workflowAttempt: number;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

/** Workflows, activities and relay in this process, with real PostgreSQL, Temporal and blob storage. Only the renderer is fake. */
export interface InProcessService extends AsyncDisposable {
  readonly store: Store;
  readonly temporal: Client;
  readonly relay: Relay;
  readonly renderer: FakeRenderer;
  /** A workspace without limits. */
  readonly workspace: Workspace;
  createClient(options: ClientOptions): Client;
  /** Creates a workspace with a deployed document. */
  createWorkspace(plan: string): Promise<Workspace>;
  createJob(options?: JobOptions): Promise<Job>;
  startCommit(options: CommitOptions): Promise<Commit>;
  /** Polls until the job's row has this status. */
  waitForStatus(job: Job, status: RenderJobStatus): Promise<JobRow>;
  /** Polls until the workflow has closed. Returns its status. */
  waitForClose(started: { readonly workflowId: string }): Promise<string>;
  /** Runs one round of reconciliation, for work of any age. */
  reconcile(): Promise<void>;
}

export interface InProcessServiceOptions {
  /** Replaces activities of the queue `control`, to force faults in them. */
  readonly control?: ((real: ControlActivities) => Partial<ControlActivities>) | undefined;
  /** Paths of modules with interceptors that run inside the workflows. */
  readonly workflowInterceptors?: string[] | undefined;
  /** The number of renders at once. The default is the SDK's. */
  readonly slots?: number | undefined;
  /** How webhooks are sent. By default once, and to no private address. */
  readonly webhooks?: Partial<WebhookOptions> | undefined;
}

/** Starts an in-process service for the calling suite. The function that it returns gives the service. */
export const useInProcessService = (
  options: InProcessServiceOptions = {},
): (() => InProcessService) => startForSuite(() => startInProcessService(options));

/** Starts an in-process service with a new database, namespace and container. */
export async function startInProcessService(
  options: InProcessServiceOptions = {},
): Promise<InProcessService> {
  await using starting = new AsyncDisposableStack();
  const [database, namespace] = await Promise.all([createDatabase(), createNamespace()]);
  const { sql } = starting.use(database);
  const store = {
    sql,
    blobs: await openContainer(),
    cursors: createCursors(secretKeys),
    webhookSecrets: createWebhookSecrets(secretKeys),
  } as Store;
  const { client: temporal, createClient } = starting.use(
    await connectTemporal({ TEMPORAL_NAMESPACE: namespace }),
  );
  const relay = starting.use(startRelay({ sql, temporal, log, publicUrl }));
  const renderer = createFakeRenderer();
  starting.use(await runAllWorkers({ store, renderer, namespace, relay }, options));
  const workspace = await createWorkspaceWithDocument({ store, relay }, 'self_hosted');
  const calls = createCalls({ store, temporal, relay });
  const all = starting.move();
  return {
    ...{ store, temporal, relay, renderer, workspace, createClient, ...calls },
    createWorkspace: (plan) => createWorkspaceWithDocument({ store, relay }, plan),
    createJob: (options = {}) => thenWake(relay, acceptJob(store, { workspace, ...options })),
    startCommit: (options) => thenWake(relay, uploadAndCommit(store, options)),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

type Parts = Pick<InProcessService, 'store' | 'temporal' | 'relay'>;

/** Runs workers for all queues, as a worker process does: workflows and activities. */
async function runAllWorkers(
  {
    namespace,
    relay,
    ...parts
  }: Pick<InProcessService, 'store' | 'renderer' | 'relay'> & { namespace: string },
  { control, workflowInterceptors, slots, webhooks }: InProcessServiceOptions,
): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'workflow-test-'));
  const documents = starting.use(await createDocumentCache(parts.store.blobs, folder));
  const wakeRelay = relay.wake;
  const dependencies = {
    ...parts,
    documents,
    plans,
    transientOutputTtlMs,
    webhooks: {
      retryScheduleMs: [0],
      egressAllow: [],
      attemptTimeoutMs: webhookAttemptTimeoutMs,
      network: systemNetwork,
      ...webhooks,
    },
    log,
    wakeRelay,
  };
  const real = createControlActivities(dependencies);
  const workers = await runWorkers(namespace, {
    [taskQueues.control]: {
      workflowBundle: await bundleWorkflows(workflowInterceptors),
      activities: { ...real, ...control?.(real) },
      stickyQueueScheduleToStartTimeout: '1s',
    },
    [taskQueues.render]: {
      activities: simulateLostWorkers(createRenderActivities(dependencies)),
      maxHeartbeatThrottleInterval: '1s',
      ...(slots !== undefined && { maxConcurrentActivityTaskExecutions: slots }),
    },
    [taskQueues.webhooks]: { activities: createWebhookActivities(dependencies) },
  });
  starting.use(workers);
  return starting.move();
}

/** Wakes the relay after something was written to the outbox. */
async function thenWake<T>(relay: Relay, written: Promise<T>): Promise<T> {
  const result = await written;
  relay.wake();
  return result;
}

/** Creates a workspace and deploys a document with a real commit. */
async function createWorkspaceWithDocument(
  { store, relay }: Pick<Parts, 'store' | 'relay'>,
  plan: string,
): Promise<Workspace> {
  const id = await createWorkspace(store.sql, { name: plan, plan, now: Date.now() });
  const { uploadSessionId } = await thenWake(
    relay,
    uploadAndCommit(store, { workspaceId: id, slug: 'document' }),
  );
  const version = await poll('the document', async () => {
    const [row] = await store.sql<{ deployId: string; deployVersionId: string }[]>`
      select deploy_id, deploy_version_id from upload_sessions
      where id = ${uploadSessionId} and status = 'committed'`;
    return row;
  });
  return { id, plan, ...version };
}

/** Functions with which tests wait, and start reconciliation. */
function createCalls({
  store: { sql },
  temporal,
  relay,
}: Parts): Pick<InProcessService, 'waitForStatus' | 'waitForClose' | 'reconcile'> {
  return {
    waitForStatus: ({ jobId }, status) =>
      poll(`${jobId} to be ${status}`, async () => {
        const [row] = await sql<JobRow[]>`
          select status, attempt, workflow_attempt, error_code, error_message from render_jobs
          where id = ${jobId} and status = ${status}`;
        return row;
      }),
    waitForClose: ({ workflowId }) =>
      poll<string>(`the end of ${workflowId}`, async () => {
        const { status } = await temporal.workflow.getHandle(workflowId).describe();
        return status.name !== 'RUNNING' && status.name;
      }),
    reconcile: () => {
      const wakeRelay = relay.wake;
      const retryDelaysMs = shortRetryDelaysMs;
      // An age limit of -1 ms includes work that was created just now.
      return reconcile({ sql, temporal, plans, retryDelaysMs, log, wakeRelay }, Date.now(), -1);
    },
  };
}
