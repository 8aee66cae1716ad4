import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { findFreePort } from './ports.ts';
import { createServer, type Server, startOrStop } from './server.ts';

const configurationFile = join(import.meta.dirname, '../../temporal-dev.yaml');
const readyTimeoutMs = 1_000;

const configurationSchema = z.strictObject({
  namespace: z.string(),
  ip: z.string(),
  port: z.int(),
  uiPort: z.int(),
  databaseFile: z.string(),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'never']),
  sqlitePragmas: z.record(z.string(), z.string()),
  searchAttributes: z.record(
    z.string(),
    z.enum(['Text', 'Keyword', 'Int', 'Double', 'Bool', 'Datetime', 'KeywordList']),
  ),
  dynamicConfig: z.record(z.string(), z.union([z.number(), z.boolean(), z.string()])),
});

export type TemporalConfiguration = z.output<typeof configurationSchema>;

export interface TemporalOptions {
  /** The folder for the database and the log. */
  readonly directory: string;
  /** The path of the Temporal CLI; by default TEMPORAL_CLI_PATH, which dev/bootstrap.mjs sets. */
  readonly cliPath?: string;
  /** A free port by default. */
  readonly port?: number;
  /** A free port by default. */
  readonly uiPort?: number;
}

export interface TemporalServer extends Server {
  readonly port: number;
  readonly uiPort: number;
  /** host:port of the gRPC frontend. */
  readonly address: string;
  readonly uiUrl: string;
  readonly namespace: string;
}

/** Creates Temporal as `createTemporal` does and starts it. */
export const startTemporal = async (options: TemporalOptions): Promise<TemporalServer> =>
  startOrStop(await createTemporal(options));

/** Reads temporal-dev.yaml. */
export function readTemporalConfiguration(): TemporalConfiguration {
  return configurationSchema.parse(parse(readFileSync(configurationFile, 'utf8')));
}

/** Creates Temporal's development server as temporal-dev.yaml describes it. Its workflows survive a restart. */
export async function createTemporal(options: TemporalOptions): Promise<TemporalServer> {
  const configuration = readTemporalConfiguration();
  const { namespace, ip } = configuration;
  const cliPath = options.cliPath ?? process.env.TEMPORAL_CLI_PATH;
  if (!cliPath) throw new Error('TEMPORAL_CLI_PATH is not set: start through dev/bootstrap.mjs.');
  const port = options.port ?? (await findFreePort());
  const uiPort = options.uiPort ?? (await findFreePort());
  const databaseFile = join(options.directory, configuration.databaseFile);
  const uiUrl = `http://${ip}:${uiPort}`;
  const server = createServer({
    name: 'temporal',
    directory: options.directory,
    mark: databaseFile,
    command: cliPath,
    args: [
      ...['server', 'start-dev', '--namespace', namespace, '--ip', ip],
      ...['--port', String(port), '--ui-port', String(uiPort), '--db-filename', databaseFile],
      ...['--log-format', 'json', '--log-level', configuration.logLevel],
      ...flags('--sqlite-pragma', configuration.sqlitePragmas),
      ...flags('--search-attribute', configuration.searchAttributes),
      ...flags('--dynamic-config-value', configuration.dynamicConfig),
    ],
    isReady: () => hasSearchAttributes(uiUrl, configuration),
  });
  return Object.assign(server, { port, uiPort, address: `${ip}:${port}`, uiUrl, namespace });
}

function flags(flag: string, values: Record<string, unknown>): string[] {
  return Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${value}`]);
}

/**
 * True when the search attributes are registered. The server answers before that and would refuse a workflow that has them. The
 * UI's port also serves the HTTP API, which calls the gRPC frontend.
 */
async function hasSearchAttributes(
  uiUrl: string,
  { namespace, searchAttributes }: TemporalConfiguration,
): Promise<boolean> {
  const answer = await fetch(`${uiUrl}/api/v1/namespaces/${namespace}/search-attributes`, {
    signal: AbortSignal.timeout(readyTimeoutMs),
  });
  if (!answer.ok) return false;
  const { customAttributes } = (await answer.json()) as { customAttributes?: object };
  return Object.keys(searchAttributes).every((name) => name in (customAttributes ?? {}));
}
