import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { findFreePort } from './servers/ports.ts';
import { removePostgres } from './servers/postgres.ts';
import { commandLineOf, sendSignal, waitUntil } from './servers/processes.ts';

/** What `npm start` remembers, and where. */
export const STATE_FOLDER = join(import.meta.dirname, '../.data');
export const ENVIRONMENT_FILE = join(STATE_FOLDER, 'dev.env');
export const LOGS_FOLDER = join(STATE_FOLDER, 'logs');
const SECRETS_FILE = join(STATE_FOLDER, 'secrets.json');
const PORTS_FILE = join(STATE_FOLDER, 'ports.json');
const LOCK_FILE = join(STATE_FOLDER, 'npm-start.json');

// A folder of a test run is not the state of `npm start`; see test.ts.
export const TEST_FOLDER_PREFIX = 'test-';

const SECRET_BYTES = 32;
const AZURE_KEY_BYTES = 64;
// The other `npm start` may let its worker finish a document, see start.ts.
const TAKE_OVER_TIMEOUT_MS = 120_000;

export interface Secrets {
  secretKey: string;
  adminToken: string;
  postgresPassword: string;
  azureAccountKey: string;
}

/** Makes the state folder; root opens it to the users that PostgreSQL and Chromium run as, who cannot list it. */
export function makeStateFolder(): void {
  mkdirSync(STATE_FOLDER, { recursive: true });
  chmodSync(STATE_FOLDER, process.getuid?.() === 0 ? 0o711 : 0o700);
}

/** Forgets everything but the folders of test runs. */
export function forgetState(): void {
  removePostgres(join(STATE_FOLDER, 'postgres'));
  for (const name of readdirSync(STATE_FOLDER)) {
    if (name.startsWith(TEST_FOLDER_PREFIX)) continue;
    rmSync(join(STATE_FOLDER, name), { recursive: true, force: true });
  }
}

export function readOrMakeSecrets(): Secrets {
  const random = (bytes: number) => randomBytes(bytes).toString('base64url');
  const secrets: Secrets = {
    secretKey: random(SECRET_BYTES),
    adminToken: random(SECRET_BYTES),
    postgresPassword: random(SECRET_BYTES),
    azureAccountKey: randomBytes(AZURE_KEY_BYTES).toString('base64'),
    ...readJson(SECRETS_FILE),
  };
  writePrivately(SECRETS_FILE, JSON.stringify(secrets, null, 2));
  return secrets;
}

/** A free port for each name: the one that it had last time, else the default, else the next that is free. */
export async function choosePorts<Name extends string>(
  defaults: Record<Name, number>,
): Promise<Record<Name, number>> {
  const remembered: Partial<Record<Name, number>> = readJson(PORTS_FILE);
  const chosen = { ...defaults };
  for (const name of Object.keys(defaults) as Name[]) {
    chosen[name] = await findFreePort(remembered[name] ?? defaults[name]);
  }
  writePrivately(PORTS_FILE, JSON.stringify(chosen, null, 2));
  return chosen;
}

/** The environment file of the last start; empty where there was none. */
export function readEnvironmentFile(): NodeJS.Dict<string> {
  return existsSync(ENVIRONMENT_FILE) ? parseEnv(readFileSync(ENVIRONMENT_FILE, 'utf8')) : {};
}

/** Names and values that other programs need; to be read by a shell's `source` and by `node --env-file`. */
export function writeEnvironmentFile(values: NodeJS.Dict<string>): void {
  const quoted = (value: string) => (/^[\w:/.@-]*$/.test(value) ? value : `'${value}'`);
  const lines = Object.entries(definedOnly(values)).map(
    ([name, value]) => `${name}=${quoted(value)}\n`,
  );
  writePrivately(ENVIRONMENT_FILE, lines.join(''));
}

export function definedOnly(values: NodeJS.Dict<string>): Record<string, string> {
  const entries = Object.entries(values).filter((entry) => entry[1] !== undefined);
  return Object.fromEntries(entries) as Record<string, string>;
}

export interface Lock {
  pid: number;
  url: string;
}

/** The `npm start` of this folder that runs now. */
export function readLock(): Lock | undefined {
  const { pid, url } = readJson(LOCK_FILE) as Partial<Lock>;
  if (!pid || pid === process.pid || !commandLineOf(pid).includes('dev/start/start.ts'))
    return undefined;
  return { pid, url: url ?? 'an address that it has not chosen yet' };
}

/** Says that we are the one that runs. */
export function writeLock(url?: string): void {
  writePrivately(LOCK_FILE, JSON.stringify({ pid: process.pid, url }));
}

export function removeLock(): void {
  rmSync(LOCK_FILE, { force: true });
}

/** Stops the `npm start` of this folder that runs, if one does. */
export async function stopRunning(): Promise<void> {
  const lock = readLock();
  if (!lock) return;
  console.log(`  stopping the one that runs (pid ${lock.pid})`);
  sendSignal(lock.pid, 'SIGTERM');
  if (await waitUntil(() => readLock() === undefined, TAKE_OVER_TIMEOUT_MS)) return;
  throw new Error(`The running \`npm start\` (pid ${lock.pid}) does not stop.`);
}

function readJson(file: string): object {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

function writePrivately(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}
