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

const projectFolder = new URL('../../', import.meta.url);
/** A worker bundles its workflows and starts a browser before it is ready. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 60_000;
/** How many log lines the error shows of a process that does not get ready. */
const maxShownLines = 20;

export interface ServiceProcess {
  readonly pid: number;
  /** All lines that it logged, parsed. */
  readonly lines: readonly Record<string, unknown>[];
  /** Sends a signal and waits until the process has ended. Returns its exit code, null after a signal. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
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
  /** Starts another API process. It listens where the first one did, unless `env` has a PORT. */
  startApi(env?: NodeJS.ProcessEnv): Promise<ServiceProcess>;
  createWorkspace(plan?: string): Promise<Workspace>;
}

export interface ServiceOptions {
  readonly workers?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts the service with a new database, namespace and container. */
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

  // Processes that a test starts later stop with the service, as the first ones do.
  let owner = starting;
  const run = async (main: string, readyMessage: string, more: NodeJS.ProcessEnv = {}) => {
    const child = await startProcess(main, { ...env, ...more }, readyMessage);
    owner.defer(async () => {
      await child.end();
    });
    return child;
  };
  const startApi = (more?: NodeJS.ProcessEnv) => run('api/main.ts', 'the API listens', more);
  const startWorker = (more?: NodeJS.ProcessEnv) =>
    run('worker/main.ts', 'the worker is ready', more);

  const api = await startApi();
  const address = String(api.lines.at(-1)?.address);
  // A restarted API listens where the first one did.
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

/** Creates a workspace with one API key, in the database. */
export async function addWorkspace(sql: Sql, plan: string): Promise<Omit<Workspace, 'client'>> {
  const now = Date.now();
  const id = await createWorkspace(sql, { name: 'Test', plan, now });
  const { key } = await createWorkspaceApiKey(sql, { workspaceId: id, name: 'test', now });
  return { id, apiKey: key };
}

/** Starts one of the service's processes and waits until it logs `readyMessage`. The caller must end it. */
export async function startProcess(
  main: string,
  env: NodeJS.ProcessEnv,
  readyMessage: string,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [main], {
    cwd: projectFolder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: Record<string, unknown>[] = [];
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(parseLine(line));
      if (lines.at(-1)?.msg === readyMessage) resolve();
    });
  });
  const failed = exited.then((code) => {
    throw new Error(`${main} ended with ${code}:\n${errors.join('')}`);
  });
  failed.catch(() => {});
  const late = AbortSignal.timeout(startTimeoutMs);
  try {
    await Promise.race([
      ready,
      failed,
      once(late, 'abort').then(() => {
        const last = lines.slice(-maxShownLines).map((line) => JSON.stringify(line));
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
    end: (signal = 'SIGTERM') => endProcess(child, exited, signal),
  };
}

async function endProcess(
  child: ChildProcess,
  exited: Promise<number | null>,
  signal: NodeJS.Signals,
) {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  const killing = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  try {
    return await exited;
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
