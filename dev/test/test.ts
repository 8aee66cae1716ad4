// `npm test`: one Temporal, PostgreSQL and Azurite for all suites, then mocha. Folders and files narrow it:
// `npm test -- test/store`. Suites find the servers by TEMPORAL_ADDRESS, TEST_DATABASE_URL (where each
// makes a database of its own) and AZURE_STORAGE_CONNECTION_STRING.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startAzurite } from '../servers/azurite.ts';
import { removePostgres, startPostgres } from '../servers/postgres.ts';
import { commandLineOf, sendSignal } from '../servers/processes.ts';
import { stopLeftovers, writePidFile } from '../servers/server.ts';
import { startTemporal } from '../servers/temporal.ts';
import { makeStateFolder, STATE_FOLDER, TEST_FOLDER_PREFIX } from '../state.ts';
import { listenForStop } from '../stop-signals.ts';

const PROJECT = join(import.meta.dirname, '../..');
const MOCHA = join(PROJECT, 'node_modules/mocha/bin/mocha.js');
const REPORTER = join(import.meta.dirname, 'test-reporter.ts');
const ALL_TESTS = 'test/**/*.test.ts';
const SERVERS = ['azurite', 'temporal', 'postgres'];

async function main(): Promise<void> {
  makeStateFolder();
  await removeAbandonedFolders();
  const folder = join(STATE_FOLDER, `${TEST_FOLDER_PREFIX}${process.pid}`);
  mkdirSync(folder);
  // Asked twice, mocha ends at once; the servers are stopped in any case.
  let killMocha: () => unknown = () => {};
  using stop = listenForStop(() => killMocha());
  try {
    await using servers = await startServers(folder);
    if (stop.signal.aborted) return;
    const mocha = runMocha(folder, servers.env);
    killMocha = mocha.kill;
    stop.signal.addEventListener('abort', mocha.interrupt);
    process.exitCode = await mocha.exitCode;
  } finally {
    removeFolder(folder);
    if (stop.signal.aborted) process.exitCode = 130;
  }
}

/** Starts the three servers at once; all of them are stopped with the result, or when one does not start. */
async function startServers(folder: string) {
  await using started = new AsyncDisposableStack();
  const password = randomBytes(16).toString('hex');
  const accountKey = randomBytes(64).toString('base64');
  const starting = [
    startPostgres({ directory: join(folder, 'postgres'), password, database: 'postgres' }),
    startAzurite({ directory: join(folder, 'azurite'), accountKey }),
    startTemporal({ directory: join(folder, 'temporal') }),
  ] as const;
  for (const server of starting) started.defer(async () => (await server).stop());
  const [postgres, azurite, temporal] = await Promise.all(starting);
  const env = {
    ...process.env,
    TEST_DATABASE_URL: postgres.url,
    AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
  };
  const all = started.move();
  return { env, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** In a group of its own: Ctrl-C would reach it twice, which it takes for a wish to end at once. */
function runMocha(folder: string, env: NodeJS.ProcessEnv) {
  const args = ['--reporter', REPORTER, ...specifications(process.argv.slice(2))];
  const child = spawn(process.execPath, [MOCHA, ...args], {
    cwd: PROJECT,
    env,
    stdio: 'inherit',
    detached: true,
  });
  if (child.pid) writePidFile(join(folder, 'mocha.pid'), { pid: child.pid, mark: MOCHA });
  const exitCode = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
  // With the group goes what a suite had started and could not end: services, and through their pipes the browsers.
  const endGroup = () => child.pid && sendSignal(-child.pid, 'SIGKILL');
  return {
    exitCode: exitCode.finally(endGroup),
    interrupt: () => child.kill('SIGINT'),
    kill: endGroup,
  };
}

/** A folder stands for the tests in it; options are mocha's. */
function specifications(args: string[]): string[] {
  if (!args.some((arg) => existsSync(arg))) return [...args, ALL_TESTS];
  return args.map((arg) =>
    existsSync(arg) && statSync(arg).isDirectory() ? join(arg, '**/*.test.ts') : arg,
  );
}

/** A runner that was killed leaves mocha and its servers running, and its folder. */
async function removeAbandonedFolders(): Promise<void> {
  for (const name of readdirSync(STATE_FOLDER)) {
    if (!name.startsWith(TEST_FOLDER_PREFIX)) continue;
    const pid = Number(name.slice(TEST_FOLDER_PREFIX.length));
    if (pid !== process.pid && commandLineOf(pid).includes('dev/test/test.ts')) continue;
    const folder = join(STATE_FOLDER, name);
    await stopLeftovers(folder);
    for (const server of SERVERS) await stopLeftovers(join(folder, server));
    removeFolder(folder);
  }
}

function removeFolder(folder: string): void {
  removePostgres(join(folder, 'postgres'));
  rmSync(folder, { recursive: true, force: true });
}

await main();
