import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../client/client.ts';
import { startAzurite } from '../dev/servers/azurite.ts';
import { createChild } from '../dev/servers/child.ts';
import { findFreePort } from '../dev/servers/ports.ts';
import { removePostgres, startPostgres } from '../dev/servers/postgres.ts';
import { type Server, startOrStop } from '../dev/servers/server.ts';
import { startTemporal } from '../dev/servers/temporal.ts';
import { openDatabase } from '../store/database/connection.ts';
import { createWorkspaceApiKey } from '../store/workspaces/api-keys.ts';
import { createWorkspace } from '../store/workspaces/workspaces.ts';
import type { Root } from './cpu-meter.ts';

/** The service as in production: an API process, a worker process, and their servers. */
export interface Stack extends AsyncDisposable {
  /** A folder for files of the bench. It is deleted with the stack. */
  readonly folder: string;
  /** The processes whose CPU time is measured. */
  readonly roots: readonly Root[];
  /** The address of the REST API, with its version. */
  readonly baseUrl: string;
  /** Creates a workspace without limits and returns an API key of it. */
  createWorkspaceKey(): Promise<string>;
  /** Creates a workspace without limits and returns a client of it. */
  createWorkspaceClient(): Promise<Client>;
}

const stopTimeoutMs = 45_000;
const readyTimeoutMs = 2_000;

/**
 * Starts the service and its servers.
 *
 * @param settings more environment variables for the API and the worker
 */
export async function startStack(settings: NodeJS.ProcessEnv = {}): Promise<Stack> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  // If we are root, PostgreSQL and Chromium run as other users, who must be able to enter the folder.
  await chmod(folder, 0o711);
  starting.defer(() => {
    removePostgres(join(folder, 'postgres'));
    return rm(folder, { recursive: true, force: true });
  });
  const secret = () => randomBytes(32).toString('base64');
  const starts = [
    startPostgres({
      directory: join(folder, 'postgres'),
      password: randomBytes(16).toString('hex'),
      database: 'bench',
    }),
    startAzurite({ directory: join(folder, 'azurite'), accountKey: secret() }),
    startTemporal({ directory: join(folder, 'temporal') }),
  ] as const;
  // Each server that starts is stopped with the stack.
  for (const start of starts)
    starting.defer(() =>
      start.then(
        (server) => server.stop(),
        // It did not start and has stopped itself. `Promise.all` below throws its error.
        () => {},
      ),
    );
  const [postgres, azurite, temporal] = await Promise.all(starts);

  const port = await findFreePort();
  const env = {
    ...process.env,
    ...settings,
    DATABASE_URL: postgres.url,
    AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    SECRET_KEY: secret(),
    PORT: String(port),
  };
  const url = `http://127.0.0.1:${port}`;
  const shared = { directory: join(folder, 'logs'), env, stopTimeoutMs };
  const isReady = async () =>
    (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(readyTimeoutMs) })).ok;
  const api = starting.use(await startOrStop(createChild({ ...shared, name: 'api', isReady })));
  // The worker may not poll yet. The first commit of a document waits for it.
  const worker = starting.use(await startOrStop(createChild({ ...shared, name: 'worker' })));
  const sql = openDatabase(postgres.url, 1);
  starting.defer(() => sql.end());

  const pidOf = (server: Server): number => server.pid ?? 0;
  const baseUrl = `${url}/v1`;
  const createWorkspaceKey = async (): Promise<string> => {
    const now = Date.now();
    const workspaceId = await createWorkspace(sql, { name: 'Bench', plan: 'self_hosted', now });
    const { key } = await createWorkspaceApiKey(sql, { workspaceId, name: 'bench', now });
    return key;
  };
  const all = starting.move();
  return {
    folder,
    baseUrl,
    createWorkspaceKey,
    roots: [
      { pid: pidOf(api), self: 'api', children: 'api' },
      { pid: pidOf(worker), self: 'worker', children: 'chromium' },
      { pid: pidOf(temporal), self: 'temporal', children: 'temporal' },
      { pid: pidOf(postgres), self: 'postgres', children: 'postgres' },
      { pid: pidOf(azurite), self: 'azurite', children: 'azurite' },
      // The raw loop's browser is a child of ours.
      { pid: process.pid, self: 'bench', children: 'chromium' },
    ],
    createWorkspaceClient: async () =>
      createClient({ baseUrl, apiKey: await createWorkspaceKey() }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
