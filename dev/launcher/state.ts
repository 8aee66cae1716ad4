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
import { findFreePort } from '../servers/ports.ts';
import { removePostgres } from '../servers/postgres.ts';
import { commandLineOf, sendSignal, waitUntil } from '../servers/processes.ts';

/** The folder for everything that `npm start` keeps. Each test run has a folder of its own in it. */
export const stateFolder = join(import.meta.dirname, '../../.data');
/** The addresses and keys of the service that `npm start` runs, for other programs. */
export const environmentFile = join(stateFolder, 'dev.env');
export const logsFolder = join(stateFolder, 'logs');
/** Describes the version that the last start has deployed; see dev/start/deploy-example.ts. */
export const exampleVersionFile = join(stateFolder, 'example-version.json');
const secretsFile = join(stateFolder, 'secrets.json');
const portsFile = join(stateFolder, 'ports.json');
const lockFile = join(stateFolder, 'npm-start.json');

/** Folders of test runs (dev/test/test.ts) have this prefix. They are not a part of the state of `npm start`. */
export const testFolderPrefix = 'test-';

const secretBytes = 32;
const azureKeyBytes = 64;
/** Long enough for the other `npm start`, whose worker may finish its documents first; see dev/start/parts.ts. */
const stopTimeoutMs = 120_000;

export interface Secrets {
  readonly secretKey: string;
  readonly adminToken: string;
  readonly postgresPassword: string;
  readonly azureAccountKey: string;
}

/** Creates the state folder. If we are root, PostgreSQL and Chromium run as other users, who may enter the folder but not list it. */
export function createStateFolder(): void {
  mkdirSync(stateFolder, { recursive: true });
  chmodSync(stateFolder, process.getuid?.() === 0 ? 0o711 : 0o700);
}

/** Deletes everything in the state folder except the folders of test runs. */
export function deleteState(): void {
  removePostgres(join(stateFolder, 'postgres'));
  for (const name of readdirSync(stateFolder)) {
    if (name.startsWith(testFolderPrefix)) continue;
    rmSync(join(stateFolder, name), { recursive: true, force: true });
  }
}

/** Reads the secrets; creates those that are missing. */
export function readOrCreateSecrets(): Secrets {
  const random = (bytes: number) => randomBytes(bytes).toString('base64url');
  const secrets: Secrets = {
    secretKey: random(secretBytes),
    adminToken: random(secretBytes),
    postgresPassword: random(secretBytes),
    azureAccountKey: randomBytes(azureKeyBytes).toString('base64'),
    ...readJson(secretsFile),
  };
  writePrivately(secretsFile, JSON.stringify(secrets, null, 2));
  return secrets;
}

/** Chooses a free port for each name: the port of last time or the default, or the next free port after it. Writes them to a file. */
export async function choosePorts<Name extends string>(
  defaults: Record<Name, number>,
): Promise<Record<Name, number>> {
  const remembered: Partial<Record<Name, number>> = readJson(portsFile);
  const chosen = { ...defaults };
  for (const name of Object.keys(defaults) as Name[]) {
    chosen[name] = await findFreePort(remembered[name] ?? defaults[name]);
  }
  writePrivately(portsFile, JSON.stringify(chosen, null, 2));
  return chosen;
}

/** Reads the environment file of the last start; empty if there was none. */
export function readEnvironmentFile(): NodeJS.Dict<string> {
  return existsSync(environmentFile) ? parseEnv(readFileSync(environmentFile, 'utf8')) : {};
}

/** Writes names and values that other programs need. A shell's `.` and `node --env-file` can read the file. */
export function writeEnvironmentFile(values: NodeJS.Dict<string>): void {
  const quoted = (value: string) => (/^[\w:/.@-]*$/.test(value) ? value : `'${value}'`);
  const lines = Object.entries(definedOnly(values)).map(
    ([name, value]) => `${name}=${quoted(value)}\n`,
  );
  writePrivately(environmentFile, lines.join(''));
}

/** Returns the values without those that are undefined. */
export function definedOnly(values: NodeJS.Dict<string>): Record<string, string> {
  const entries = Object.entries(values).filter((entry) => entry[1] !== undefined);
  return Object.fromEntries(entries) as Record<string, string>;
}

export interface Lock {
  readonly pid: number;
  /** The address of the API, or words that say that it is not chosen yet. For messages. */
  readonly url: string;
}

/** Finds another `npm start` of this folder that runs now; undefined if there is none. */
export function readLock(): Lock | undefined {
  const { pid, url } = readJson(lockFile) as Partial<Lock>;
  if (!pid || pid === process.pid) return undefined;
  if (!commandLineOf(pid).includes('dev/start/start.ts')) return undefined;
  return { pid, url: url ?? 'an address that it has not chosen yet' };
}

/** Records that this process is the `npm start` of this folder that runs. */
export function writeLock(url?: string): void {
  writePrivately(lockFile, JSON.stringify({ pid: process.pid, url }));
}

export function removeLock(): void {
  rmSync(lockFile, { force: true });
}

/** Stops another `npm start` of this folder, if one runs, and waits until it has ended. */
export async function stopRunning(): Promise<void> {
  const lock = readLock();
  if (!lock) return;
  console.log(`  stopping the \`npm start\` that runs (pid ${lock.pid})`);
  sendSignal(lock.pid, 'SIGTERM');
  if (await waitUntil(() => readLock() === undefined, stopTimeoutMs)) return;
  throw new Error(
    `The \`npm start\` that runs (pid ${lock.pid}) does not stop: end it, then try again.`,
  );
}

/** Returns `{}` if there is no such file. */
function readJson(file: string): object {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Writes a file that only its owner can read. */
function writePrivately(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}
