import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from './ports.ts';
import { createServer, type Server, startOrStop } from './server.ts';

const projectFolder = join(import.meta.dirname, '../..');
const mainFile = join(projectFolder, 'node_modules/azurite/dist/src/blob/main.js');
const preloadedFile = join(import.meta.dirname, 'azurite-without-telemetry.mjs');
/** Node keeps compiled code here, so that a start takes 0.4 s instead of 0.9 s [measured]. `npm ci` empties the folder. */
const compileCacheFolder = join(projectFolder, 'node_modules/.cache/node-compile-cache');
const account = 'documents';
const readyTimeoutMs = 1_000;

export interface AzuriteOptions {
  /** The folder for the blobs and the log. */
  readonly directory: string;
  /** The account's key, base64. */
  readonly accountKey: string;
  /** A free port by default. */
  readonly port?: number;
}

export interface AzuriteServer extends Server {
  readonly port: number;
  readonly connectionString: string;
}

/** Creates Azurite as `createAzurite` does and starts it. */
export const startAzurite = async (options: AzuriteOptions): Promise<AzuriteServer> =>
  startOrStop(await createAzurite(options));

/**
 * Creates Azurite's blob server, with its blobs on disk. It writes its index of blobs every 5 s and when it stops, so SIGKILL may
 * lose the blobs of the last seconds. Use it for development only.
 */
export async function createAzurite(options: AzuriteOptions): Promise<AzuriteServer> {
  const { directory, accountKey } = options;
  const port = options.port ?? (await findFreePort());
  const endpoint = `http://127.0.0.1:${port}/${account}`;
  const location = join(directory, 'data');
  const server = createServer({
    name: 'azurite',
    directory,
    mark: location,
    command: process.execPath,
    args: [
      ...['--disable-warning=DEP0040', `--import=${preloadedFile}`, mainFile],
      ...['--blobHost', '127.0.0.1', '--blobPort', String(port), '--location', location],
      // Without the first flag Azurite refuses our client library, whose API version is newer than it knows.
      ...['--skipApiVersionCheck', '--disableTelemetry', '--silent'],
    ],
    env: {
      ...process.env,
      AZURITE_ACCOUNTS: `${account}:${accountKey}`,
      NODE_COMPILE_CACHE: compileCacheFolder,
    },
    prepare: async () => {
      mkdirSync(location, { recursive: true });
    },
    isReady: async () => {
      // Any answer means that it is ready. This request has no signature, so the answer is a refusal.
      await fetch(endpoint, { signal: AbortSignal.timeout(readyTimeoutMs) });
      return true;
    },
  });
  const connectionString = [
    'DefaultEndpointsProtocol=http',
    `AccountName=${account}`,
    `AccountKey=${accountKey}`,
    `BlobEndpoint=${endpoint}`,
  ].join(';');
  return Object.assign(server, { port, connectionString });
}
