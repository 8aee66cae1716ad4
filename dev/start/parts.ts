import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createAzurite } from '../servers/azurite.ts';
import { createChild } from '../servers/child.ts';
import { findFreePort } from '../servers/ports.ts';
import { createPostgres } from '../servers/postgres.ts';
import type { Server } from '../servers/server.ts';
import { createTemporal, readTemporalConfiguration } from '../servers/temporal.ts';
import { LOGS_FOLDER, type Secrets, STATE_FOLDER } from '../state.ts';

const DEFAULT_API_PORT = 3000;
const DEFAULT_POSTGRES_PORT = 5433; // 5432 is likely to be the machine's own
const DEFAULT_AZURITE_PORT = 10_000;
const API_STOP_TIMEOUT_MS = 15_000;
// A worker finishes the documents that it prints; a person at a terminal does not wait longer for them.
const WORKER_STOP_TIMEOUT_MS = 45_000;
const READY_TIMEOUT_MS = 2_000;

export type Ports = Record<'api' | 'postgres' | 'azurite' | 'temporal' | 'temporalUi', number>;

export function defaultPorts(): Ports {
  const { port, uiPort } = readTemporalConfiguration();
  return {
    api: DEFAULT_API_PORT,
    postgres: DEFAULT_POSTGRES_PORT,
    azurite: DEFAULT_AZURITE_PORT,
    temporal: port,
    temporalUi: uiPort,
  };
}

/** `chosen`, unless PORT asks for another: a port that somebody asked for does not move. */
export async function apiPort(chosen: number): Promise<number> {
  const wanted = Number(process.env.PORT ?? chosen);
  if (wanted === 0) return findFreePort();
  if ((await findFreePort(wanted)) !== wanted) {
    throw new Error(`The port ${wanted}, which PORT asks for, is taken.`);
  }
  return wanted;
}

export interface Servers {
  /** Those that we run. */
  all: Server[];
  /** What a process has to know to use them. */
  env: Record<string, string>;
  temporalUiUrl: string | undefined;
}

/** The servers whose addresses are not given. */
export async function makeServers(ports: Ports, secrets: Secrets): Promise<Servers> {
  const given = process.env;
  const servers: Servers = { all: [], env: {}, temporalUiUrl: given.TEMPORAL_UI_URL };
  if (!given.DATABASE_URL) {
    const postgres = await createPostgres({
      directory: join(STATE_FOLDER, 'postgres'),
      password: secrets.postgresPassword,
      database: 'drs',
      port: ports.postgres,
    });
    servers.all.push(postgres);
    servers.env.DATABASE_URL = postgres.url;
  }
  if (!given.AZURE_STORAGE_CONNECTION_STRING && !given.AZURE_STORAGE_ACCOUNT) {
    const azurite = await createAzurite({
      directory: join(STATE_FOLDER, 'azurite'),
      accountKey: secrets.azureAccountKey,
      port: ports.azurite,
    });
    servers.all.push(azurite);
    servers.env.AZURE_STORAGE_CONNECTION_STRING = azurite.connectionString;
  }
  if (!given.TEMPORAL_ADDRESS) {
    const temporal = await createTemporal({
      directory: join(STATE_FOLDER, 'temporal'),
      port: ports.temporal,
      uiPort: ports.temporalUi,
    });
    servers.all.push(temporal);
    servers.env.TEMPORAL_ADDRESS = temporal.address;
    servers.env.TEMPORAL_NAMESPACE = temporal.namespace;
    servers.temporalUiUrl = temporal.uiUrl;
  }
  return servers;
}

/** The worker and the API, which know each other and the servers by the environment only. */
export function makeChildren(env: NodeJS.ProcessEnv, port: number): Server[] {
  mkdirSync(LOGS_FOLDER, { recursive: true });
  const readyUrl = `${env.TLS_CERT ? 'https' : 'http'}://127.0.0.1:${port}/readyz`;
  const isReady = async () =>
    (await fetch(readyUrl, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) })).ok;
  const shared = { directory: LOGS_FOLDER, env };
  return [
    createChild({ ...shared, name: 'worker', stopTimeoutMs: WORKER_STOP_TIMEOUT_MS }),
    createChild({ ...shared, name: 'api', stopTimeoutMs: API_STOP_TIMEOUT_MS, isReady }),
  ];
}
