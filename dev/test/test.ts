/**
 * `npm test`: starts one Temporal, PostgreSQL and Azurite for all suites, then runs mocha. Arguments choose files and folders:
 * `npm test -- test/store`. Suites find the servers by TEMPORAL_ADDRESS, TEST_DATABASE_URL (each suite creates a database of its
 * own there) and AZURE_STORAGE_CONNECTION_STRING.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createStateFolder, stateFolder, testFolderPrefix } from '../launcher/state.ts';
import { listenForStop } from '../launcher/stop-signals.ts';
import { startAzurite } from '../servers/azurite.ts';
import { removePostgres, startPostgres } from '../servers/postgres.ts';
import { commandLineOf, sendSignal } from '../servers/processes.ts';
import { stopLeftovers, writePidFile } from '../servers/server.ts';
import { startTemporal } from '../servers/temporal.ts';

const projectFolder = join(import.meta.dirname, '../..');
const mochaFile = join(projectFolder, 'node_modules/mocha/bin/mocha.js');
const reporterFile = join(import.meta.dirname, 'test-reporter.ts');
const allTests = 'test/**/*.test.ts';
const serverNames = ['azurite', 'temporal', 'postgres'];

async function main(): Promise<void> {
  createStateFolder();
  await removeAbandonedFolders();
  const folder = join(stateFolder, `${testFolderPrefix}${process.pid}`);
  mkdirSync(folder);
  // At a second request to stop, mocha ends at once. The servers are stopped in any case.
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

/** Starts the three servers at the same time. Disposing the result stops them. If one does not start, all are stopped. */
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

/** Runs mocha in a process group of its own. In our group Ctrl-C would reach it twice, and it would end at once. */
function runMocha(folder: string, env: NodeJS.ProcessEnv) {
  const args = ['--reporter', reporterFile, ...toMochaArguments(process.argv.slice(2))];
  const child = spawn(process.execPath, [mochaFile, ...args], {
    cwd: projectFolder,
    env,
    stdio: 'inherit',
    detached: true,
  });
  if (child.pid) writePidFile(join(folder, 'mocha.pid'), { pid: child.pid, mark: mochaFile });
  const exitCode = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
  // Kills mocha, and the services and browsers that a suite has started and could not end.
  const endGroup = () => child.pid && sendSignal(-child.pid, 'SIGKILL');
  return {
    exitCode: exitCode.finally(endGroup),
    interrupt: () => child.kill('SIGINT'),
    kill: endGroup,
  };
}

/** Turns arguments into those of mocha: a folder becomes the pattern of its tests, options stay as they are. */
function toMochaArguments(args: string[]): string[] {
  if (!args.some((arg) => existsSync(arg))) return [...args, allTests];
  return args.map((arg) =>
    existsSync(arg) && statSync(arg).isDirectory() ? join(arg, '**/*.test.ts') : arg,
  );
}

/** Stops and deletes what earlier test runs have left. A run that was killed leaves mocha, its servers and its folder. */
async function removeAbandonedFolders(): Promise<void> {
  for (const name of readdirSync(stateFolder)) {
    if (!name.startsWith(testFolderPrefix)) continue;
    const pid = Number(name.slice(testFolderPrefix.length));
    if (pid !== process.pid && commandLineOf(pid).includes('dev/test/test.ts')) continue;
    const folder = join(stateFolder, name);
    await stopLeftovers(folder);
    for (const server of serverNames) await stopLeftovers(join(folder, server));
    removeFolder(folder);
  }
}

function removeFolder(folder: string): void {
  removePostgres(join(folder, 'postgres'));
  rmSync(folder, { recursive: true, force: true });
}

await main();
