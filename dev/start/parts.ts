import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { logsFolder, type Secrets, stateFolder } from '../launcher/state.ts';
import { createAzurite } from '../servers/azurite.ts';
import { createChild } from '../servers/child.ts';
import { findFreePort } from '../servers/ports.ts';
import { createPostgres } from '../servers/postgres.ts';
import type { Server } from '../servers/server.ts';
import { createTemporal, readTemporalConfiguration } from '../servers/temporal.ts';

const defaultApiPort = 3000;
/** Not 5432, which a PostgreSQL of the machine is likely to use. */
const defaultPostgresPort = 5433;
const defaultAzuritePort = 10_000;
const apiStopTimeoutMs = 15_000;
/** A worker first finishes the documents that it prints. A person at a terminal does not wait longer for them. */
const workerStopTimeoutMs = 45_000;
const readyTimeoutMs = 2_000;

export type Ports = Record<'api' | 'postgres' | 'azurite' | 'temporal' | 'temporalUi', number>;

/** The ports of the first start. `choosePorts` moves those that are taken. */
export function defaultPorts(): Ports {
  const { port, uiPort } = readTemporalConfiguration();
  return {
    api: defaultApiPort,
    postgres: defaultPostgresPort,
    azurite: defaultAzuritePort,
    temporal: port,
    temporalUi: uiPort,
  };
}

/**
 * Returns the port for the API: PORT of the environment (0 is any free port), else `chosen`.
 * @throws Error if the port is taken: no other port replaces the one that was asked for
 */
export async function findApiPort(chosen: number): Promise<number> {
  const port = Number(process.env.PORT ?? chosen);
  if (port === 0) return findFreePort();
  if ((await findFreePort(port)) !== port) {
    throw new Error(`PORT is ${port}, but that port is taken: free it or set another PORT.`);
  }
  return port;
}

export interface Servers {
  /** The servers for which the environment has no address, so we run them. */
  readonly all: readonly Server[];
  /** The environment variables by which the API and the worker find these servers. */
  readonly env: Readonly<Record<string, string>>;
  readonly temporalUiUrl: string | undefined;
}

/** Creates the servers for which the environment has no address. */
export async function createServers(ports: Ports, secrets: Secrets): Promise<Servers> {
  const all: Server[] = [];
  const env: Record<string, string> = {};
  let temporalUiUrl = process.env.TEMPORAL_UI_URL;
  if (!process.env.DATABASE_URL) {
    const postgres = await createPostgres({
      directory: join(stateFolder, 'postgres'),
      password: secrets.postgresPassword,
      database: 'drs',
      port: ports.postgres,
    });
    all.push(postgres);
    env.DATABASE_URL = postgres.url;
  }
  if (!process.env.AZURE_STORAGE_CONNECTION_STRING && !process.env.AZURE_STORAGE_ACCOUNT) {
    const azurite = await createAzurite({
      directory: join(stateFolder, 'azurite'),
      accountKey: secrets.azureAccountKey,
      port: ports.azurite,
    });
    all.push(azurite);
    env.AZURE_STORAGE_CONNECTION_STRING = azurite.connectionString;
  }
  if (!process.env.TEMPORAL_ADDRESS) {
    const temporal = await createTemporal({
      directory: join(stateFolder, 'temporal'),
      port: ports.temporal,
      uiPort: ports.temporalUi,
    });
    all.push(temporal);
    env.TEMPORAL_ADDRESS = temporal.address;
    env.TEMPORAL_NAMESPACE = temporal.namespace;
    temporalUiUrl = temporal.uiUrl;
  }
  return { all, env, temporalUiUrl };
}

/** Creates the worker and the API. They find each other and the servers by their environment only. */
export function createChildren(env: NodeJS.ProcessEnv, port: number): Server[] {
  mkdirSync(logsFolder, { recursive: true });
  const readyUrl = `${env.TLS_CERT ? 'https' : 'http'}://127.0.0.1:${port}/readyz`;
  const isReady = async () =>
    (await fetch(readyUrl, { signal: AbortSignal.timeout(readyTimeoutMs) })).ok;
  const shared = { directory: logsFolder, env };
  return [
    createChild({ ...shared, name: 'worker', stopTimeoutMs: workerStopTimeoutMs }),
    createChild({ ...shared, name: 'api', stopTimeoutMs: apiStopTimeoutMs, isReady }),
  ];
}
