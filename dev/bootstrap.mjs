/**
 * The first step of `npm start` and `npm test`: installs and builds what is missing on a fresh clone, then runs a TypeScript
 * file on our own Node. It uses only built-in modules, because nothing may be installed yet, and runs on Node 20.
 *
 *   node dev/bootstrap.mjs start [--fresh]
 *   node dev/bootstrap.mjs test [files, folders, options of mocha]
 *   node dev/bootstrap.mjs run <file.ts> [its arguments]      such as a file of bench/
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { ensureBuilds } from './install/builds.mjs';
import { ensureChromium } from './install/install-chromium.mjs';
import { ensurePackages, privateNode } from './install/install-packages.mjs';
import { ensureTemporal } from './install/install-temporal.mjs';

const projectFolder = join(import.meta.dirname, '..');

/** @type {NodeJS.Signals[]} */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** @type {Record<string, string>} */
const launchers = { start: 'dev/start/start.ts', test: 'dev/test/test.ts' };

async function main() {
  const [command = '', ...rest] = process.argv.slice(2);
  const file = command === 'run' ? rest.shift() : launchers[command];
  if (!file) throw new Error('usage: node dev/bootstrap.mjs start|test|run [arguments]');

  const stopListening = exitOnSignals();
  await ensurePackages();
  // With TEMPORAL_ADDRESS the server runs elsewhere.
  const temporal = process.env.TEMPORAL_ADDRESS ? undefined : await ensureTemporal();
  const chromium = await ensureChromium();
  await ensureBuilds();
  const env = { ...process.env, CHROMIUM_PATH: chromium };
  if (temporal) Object.assign(env, { TEMPORAL_CLI_PATH: temporal });
  stopListening();
  await run(join(projectFolder, file), rest, env);
}

/** A signal may reach only us, and not npm or Go, which would go on. So we exit: `runStep` stops its command when we do. */
function exitOnSignals() {
  for (const signal of stopSignals) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
  return () => {
    for (const signal of stopSignals) process.removeAllListeners(signal);
  };
}

/**
 * Runs a file on our Node and exits with its code. npm and supervisors send signals only to us, so we pass them on.
 * @param {string} file
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function run(file, args, env) {
  const child = spawn(privateNode, [file, ...args], { stdio: 'inherit', env });
  for (const signal of stopSignals) process.on(signal, () => child.kill(signal));
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
      resolve(undefined);
    });
  });
  for (const signal of stopSignals) process.removeAllListeners(signal);
}

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
