import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions, Connection } from '@temporalio/client';
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
import { requireEnv } from '../support/environment.ts';
import { poll } from '../support/poll.ts';
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
import { bundleWorkflows, losingWorkers, runWorkers } from './workers.ts';

const log = pino({ level: 'silent' });
/** Where the dashboard of these suites would be. */
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

/** The real workflows, activities, relay, PostgreSQL, Temporal and blob storage in this process; only the renderer is fake. */
export interface Rig extends AsyncDisposable {
  readonly store: Store;
  readonly temporal: Client;
  readonly relay: Relay;
  readonly renderer: FakeRenderer;
  /** Without limits. */
  readonly workspace: Workspace;
  createClient(options: ClientOptions): Client;
  createWorkspace(plan: string): Promise<Workspace>;
  post(options?: JobOptions): Promise<Job>;
  commit(options: CommitOptions): Promise<Commit>;
  /** Polls until the job's row has that state. */
  until(job: Job, status: RenderJobStatus): Promise<JobRow>;
  /** Polls until the workflow has ended; how it ended. */
  closed(started: { readonly workflowId: string }): Promise<string>;
  /** One round of reconciliation, of work of any age. */
  reconcile(): Promise<void>;
}

export interface RigOptions {
  /** Replaces activities of the queue `control`, where a fault must be forced in one. */
  readonly control?: ((real: ControlActivities) => Partial<ControlActivities>) | undefined;
  /** Modules that run inside the workflows. */
  readonly workflowInterceptors?: string[] | undefined;
  /** Renders at once; as many as the SDK's default unless given. */
  readonly slots?: number | undefined;
  /** How webhooks are sent; once, and to no private address, unless given. */
  readonly webhooks?: Partial<WebhookOptions> | undefined;
}

/** Starts a rig on a database, a namespace and a container of its own. */
export async function startRig(options: RigOptions = {}): Promise<Rig> {
  await using starting = new AsyncDisposableStack();
  const [database, namespace] = await Promise.all([createDatabase(), createNamespace()]);
  const { sql } = starting.use(database);
  const store = {
    sql,
    blobs: await openContainer(),
    cursors: createCursors(secretKeys),
    webhookSecrets: createWebhookSecrets(secretKeys),
  } as Store;
  const connection = await Connection.connect({ address: requireEnv('TEMPORAL_ADDRESS') });
  starting.defer(() => connection.close());
  const createClient = (options: ClientOptions) =>
    new Client({ connection, namespace, ...options });
  const temporal = createClient({});
  const relay = starting.use(startRelay({ sql, temporal, log, publicUrl }));
  const renderer = createFakeRenderer();
  starting.use(await runActivities({ store, renderer, namespace, relay }, options));
  const workspace = await createDocument({ store, relay }, 'self_hosted');
  const calls = createCalls({ store, temporal, relay });
  const all = starting.move();
  return {
    ...{ store, temporal, relay, renderer, workspace, createClient, ...calls },
    createWorkspace: (plan) => createDocument({ store, relay }, plan),
    post: (options = {}) => woken(relay, acceptJob(store, { workspace, ...options })),
    commit: (options) => woken(relay, uploadAndCommit(store, options)),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

type Parts = Pick<Rig, 'store' | 'temporal' | 'relay'>;

/** All queues, as in the worker. */
async function runActivities(
  { namespace, relay, ...parts }: Pick<Rig, 'store' | 'renderer' | 'relay'> & { namespace: string },
  { control, workflowInterceptors, slots, webhooks }: RigOptions,
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
      activities: losingWorkers(createRenderActivities(dependencies)),
      maxHeartbeatThrottleInterval: '1s',
      ...(slots !== undefined && { maxConcurrentActivityTaskExecutions: slots }),
    },
    [taskQueues.webhooks]: { activities: createWebhookActivities(dependencies) },
  });
  starting.use(workers);
  return starting.move();
}

async function woken<T>(relay: Relay, written: Promise<T>): Promise<T> {
  const result = await written;
  relay.wake();
  return result;
}

/** A workspace with a document, by a real commit. */
async function createDocument(
  { store, relay }: Pick<Parts, 'store' | 'relay'>,
  plan: string,
): Promise<Workspace> {
  const id = await createWorkspace(store.sql, { name: plan, plan, now: Date.now() });
  const { uploadSessionId } = await woken(
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

/** What tests ask and wait for. */
function createCalls({
  store: { sql },
  temporal,
  relay,
}: Parts): Pick<Rig, 'until' | 'closed' | 'reconcile'> {
  return {
    until: ({ jobId }, status) =>
      poll(`${jobId} to be ${status}`, async () => {
        const [row] = await sql<JobRow[]>`
          select status, attempt, workflow_attempt, error_code, error_message from render_jobs
          where id = ${jobId} and status = ${status}`;
        return row;
      }),
    closed: ({ workflowId }) =>
      poll<string>(`the end of ${workflowId}`, async () => {
        const { status } = await temporal.workflow.getHandle(workflowId).describe();
        return status.name !== 'RUNNING' && status.name;
      }),
    reconcile: () => {
      const wakeRelay = relay.wake;
      const retryDelaysMs = shortRetryDelaysMs;
      // Younger than nothing: work of any age counts.
      return reconcile({ sql, temporal, plans, retryDelaysMs, log, wakeRelay }, Date.now(), -1);
    },
  };
}
