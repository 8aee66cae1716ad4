// The first step of `npm start` and `npm test`: does what is missing on a fresh clone, then runs the
// TypeScript launcher on our own Node. Built-ins only, because nothing may be installed yet; runs on Node 20.
//
//   node dev/bootstrap.mjs start [--fresh]
//   node dev/bootstrap.mjs test [files, folders, mocha's options]
//   node dev/bootstrap.mjs run <file.ts> [its arguments]      such as a file of bench/
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { ensureDashboard } from './install/build-dashboard.mjs';
import { ensureChromium } from './install/install-chromium.mjs';
import { ensurePackages, NODE } from './install/install-packages.mjs';
import { ensureTemporal } from './install/install-temporal.mjs';

const PROJECT = join(import.meta.dirname, '..');

/** @type {NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** @type {Record<string, string>} */
const LAUNCHERS = { start: 'dev/start/start.ts', test: 'dev/test/test.ts' };

async function main() {
  const [command = '', ...rest] = process.argv.slice(2);
  const file = command === 'run' ? rest.shift() : LAUNCHERS[command];
  if (!file) throw new Error('usage: node dev/bootstrap.mjs start|test|run [arguments]');

  const forgetSignals = endInstallersOnSignals();
  await ensurePackages();
  // A server that runs elsewhere needs no server of ours.
  const temporal = process.env.TEMPORAL_ADDRESS ? undefined : await ensureTemporal();
  const chromium = await ensureChromium();
  await ensureDashboard();
  const env = { ...process.env, CHROMIUM_PATH: chromium };
  if (temporal) Object.assign(env, { TEMPORAL_CLI_PATH: temporal });
  forgetSignals();
  await runAndEndLike(join(PROJECT, file), rest, env);
}

/** A signal sent to us alone would leave npm or Go running: their steps end them when we exit. */
function endInstallersOnSignals() {
  for (const signal of SIGNALS) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
  return () => {
    for (const signal of SIGNALS) process.removeAllListeners(signal);
  };
}

/**
 * Runs a file on our Node and ends as it ends. Signals are passed on: npm and supervisors send them to us alone.
 * @param {string} file
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function runAndEndLike(file, args, env) {
  const child = spawn(NODE, [file, ...args], { stdio: 'inherit', env });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
      resolve(undefined);
    });
  });
  for (const signal of SIGNALS) process.removeAllListeners(signal);
}

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
