import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Client, createClient } from '../../client/client.ts';
import type { Sql } from '../../store/database/connection.ts';
import { createWorkspaceApiKey } from '../../store/workspaces/api-keys.ts';
import { createWorkspace } from '../../store/workspaces/workspaces.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { requireEnv } from './environment.ts';
import { createNamespace } from './temporal-namespace.ts';

const project = new URL('../../', import.meta.url);
/** The worker bundles its workflows and starts a browser before it works. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 60_000;
/** What is shown of a process that does not get ready. */
const linesOfLate = 20;

export interface ServiceProcess {
  readonly pid: number;
  /** Lines that it logged, parsed; for tests of what is and is not logged. */
  readonly lines: readonly Record<string, unknown>[];
  /** Sends a signal and waits until the process has gone. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  readonly gone: Promise<number | null>;
}

export interface Workspace {
  readonly id: string;
  readonly apiKey: string;
  readonly client: Client;
}

/** The service as it runs in production: an API process and worker processes, with only environment variables. */
export interface Service extends AsyncDisposable {
  readonly baseUrl: string;
  readonly database: TestDatabase;
  readonly namespace: string;
  readonly env: NodeJS.ProcessEnv;
  readonly api: ServiceProcess;
  readonly workers: ServiceProcess[];
  startWorker(env?: NodeJS.ProcessEnv): Promise<ServiceProcess>;
  /** Where the first one was, unless its port is given. */
  startApi(env?: NodeJS.ProcessEnv): Promise<ServiceProcess>;
  createWorkspace(plan?: string): Promise<Workspace>;
}

export interface ServiceOptions {
  readonly workers?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts the service on a database, a namespace and a container of its own. */
export async function startService({
  workers = 1,
  env: extra = {},
}: ServiceOptions = {}): Promise<Service> {
  await using starting = new AsyncDisposableStack();
  const [database, namespace] = await Promise.all([createDatabase(), createNamespace()]);
  starting.use(database);
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    AZURE_STORAGE_CONNECTION_STRING: requireEnv('AZURE_STORAGE_CONNECTION_STRING'),
    BLOB_CONTAINER: `test-${randomUUID()}`,
    TEMPORAL_ADDRESS: requireEnv('TEMPORAL_ADDRESS'),
    TEMPORAL_NAMESPACE: namespace,
    CHROMIUM_PATH: requireEnv('CHROMIUM_PATH'),
    SECRET_KEY: randomBytes(32).toString('hex'),
    PORT: '0',
    ...extra,
  };

  // Processes that a test starts later belong to the service as the first ones do.
  let owner = starting;
  const run = async (main: string, readyMessage: string, more: NodeJS.ProcessEnv = {}) => {
    const child = await startProcess(main, { ...env, ...more }, readyMessage);
    owner.defer(async () => {
      await child.end();
    });
    return child;
  };
  const startApi = (more?: NodeJS.ProcessEnv) => run('api/main.ts', 'the API listens', more);
  const startWorker = (more?: NodeJS.ProcessEnv) => run('worker/main.ts', 'the worker works', more);

  const api = await startApi();
  const address = String(api.lines.at(-1)?.address);
  // A restarted API is found where the first one was.
  env.PORT = new URL(address).port;
  const running = await Promise.all(Array.from({ length: workers }, () => startWorker()));
  const baseUrl = `${address}/v1`;
  const all = starting.move();
  owner = all;
  return {
    baseUrl,
    database,
    namespace,
    env,
    api,
    workers: running,
    startWorker,
    startApi,
    async createWorkspace(plan = 'self_hosted') {
      const { id, apiKey } = await addWorkspace(database.sql, plan);
      return { id, apiKey, client: createClient({ baseUrl, apiKey }) };
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Writes a workspace with one API key. */
export async function addWorkspace(sql: Sql, plan: string): Promise<Omit<Workspace, 'client'>> {
  const now = Date.now();
  const id = await createWorkspace(sql, { name: 'Test', plan, now });
  const { key } = await createWorkspaceApiKey(sql, { workspaceId: id, name: 'test', now });
  return { id, apiKey: key };
}

/** Runs one of the service's processes until it logs `readyMessage`; nothing but the caller ends it. */
export async function startProcess(
  main: string,
  env: NodeJS.ProcessEnv,
  readyMessage: string,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [main], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: Record<string, unknown>[] = [];
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const gone = once(child, 'exit').then(([code]) => code as number | null);
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(parseLine(line));
      if (lines.at(-1)?.msg === readyMessage) resolve();
    });
  });
  const failed = gone.then((code) => {
    throw new Error(`${main} ended with ${code}:\n${errors.join('')}`);
  });
  failed.catch(() => {});
  const late = AbortSignal.timeout(startTimeoutMs);
  try {
    await Promise.race([
      ready,
      failed,
      once(late, 'abort').then(() => {
        const last = lines.slice(-linesOfLate).map((line) => JSON.stringify(line));
        throw new Error(`${main} is not ready:\n${[...last, ...errors].join('\n')}`);
      }),
    ]);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    pid: child.pid ?? 0,
    lines,
    gone,
    end: (signal = 'SIGTERM') => endProcess(child, gone, signal),
  };
}

async function endProcess(
  child: ChildProcess,
  gone: Promise<number | null>,
  signal: NodeJS.Signals,
) {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  const killing = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  try {
    return await gone;
  } finally {
    clearTimeout(killing);
  }
}

function parseLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { msg: line };
  }
}
