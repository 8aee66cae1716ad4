import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from './ports.ts';
import { createServer, type Server, started } from './server.ts';

const PROJECT = join(import.meta.dirname, '../..');
const MAIN = join(PROJECT, 'node_modules/azurite/dist/src/blob/main.js');
const PRELOAD = join(import.meta.dirname, 'azurite-without-telemetry.mjs');
// Node keeps compiled code here: a start takes 0.4 s instead of 0.9 s [measured]. `npm ci` empties it.
const COMPILE_CACHE = join(PROJECT, 'node_modules/.cache/node-compile-cache');
const ACCOUNT = 'documents';
const READY_TIMEOUT_MS = 1_000;

export interface AzuriteOptions {
  /** Keeps the blobs and the log. */
  directory: string;
  /** The account's key, base64. */
  accountKey: string;
  /** Any free port unless given. */
  port?: number;
}

export interface AzuriteServer extends Server {
  readonly port: number;
  readonly connectionString: string;
}

/** As `createAzurite`, and starts it. */
export const startAzurite = async (options: AzuriteOptions): Promise<AzuriteServer> =>
  started(await createAzurite(options));

/**
 * Azurite's blob server, on disk. It writes its index of blobs every 5 s and when it stops, so SIGKILL
 * may lose the last seconds: good for development, never a place for what must last.
 */
export async function createAzurite(options: AzuriteOptions): Promise<AzuriteServer> {
  const { directory, accountKey } = options;
  const port = options.port ?? (await findFreePort());
  const endpoint = `http://127.0.0.1:${port}/${ACCOUNT}`;
  const location = join(directory, 'data');
  const server = createServer({
    name: 'azurite',
    directory,
    mark: location,
    command: process.execPath,
    args: [
      ...['--disable-warning=DEP0040', `--import=${PRELOAD}`, MAIN],
      ...['--blobHost', '127.0.0.1', '--blobPort', String(port), '--location', location],
      // Without the first flag today's client library is refused: its API version is too new.
      ...['--skipApiVersionCheck', '--disableTelemetry', '--silent'],
    ],
    env: {
      ...process.env,
      AZURITE_ACCOUNTS: `${ACCOUNT}:${accountKey}`,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
    },
    prepare: async () => {
      mkdirSync(location, { recursive: true });
    },
    isReady: async () => {
      // Any answer will do: without a signature it is a refusal.
      await fetch(endpoint, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) });
      return true;
    },
  });
  const connectionString = [
    'DefaultEndpointsProtocol=http',
    `AccountName=${ACCOUNT}`,
    `AccountKey=${accountKey}`,
    `BlobEndpoint=${endpoint}`,
  ].join(';');
  return Object.assign(server, { port, connectionString });
}
