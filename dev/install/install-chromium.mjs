import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from './executables.mjs';
import { findChromium, playwrightsFolder } from './find-chromium.mjs';
import { runStep } from './progress.mjs';

const PLAYWRIGHT = join(import.meta.dirname, '../../node_modules/playwright/cli.js');
// Where the network is closed, Playwright's five tries have failed after seconds, not minutes.
const CONNECT_TIMEOUT_MS = 5_000;
// About 110 MB, also on a slow line.
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;

const HELP = `No Chromium was found and none could be installed. Install one of:
  - on Debian or Ubuntu: apt-get install chromium-headless-shell (or chromium)
  - npx playwright install --only-shell --with-deps chromium
or say where it is: CHROMIUM_PATH=/path/to/chromium-headless-shell`;

/**
 * The path of a Chromium that runs, installed first where the machine has none.
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  for (const install of [installPlaywrightsShell, installDebiansShell]) {
    try {
      await install();
    } catch (error) {
      console.log(`  ${error instanceof Error ? error.message : error}`);
    }
    const installed = findChromium();
    if (installed && runs(installed)) return installed;
  }
  throw new Error(HELP);
}

async function installPlaywrightsShell() {
  await runStep({
    title: "download Playwright's headless Chromium",
    command: process.execPath,
    args: [PLAYWRIGHT, 'install', '--only-shell', 'chromium'],
    env: {
      ...process.env,
      PLAYWRIGHT_BROWSERS_PATH: playwrightsFolder(),
      PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: String(CONNECT_TIMEOUT_MS),
    },
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    progress: (line) => /\d+% of [\d.]+ \w+/.exec(line)?.[0],
  });
}

async function installDebiansShell() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version') || !findOnPath(['apt-get']))
    return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = { command: 'apt-get', env, timeoutMs: DOWNLOAD_TIMEOUT_MS };
  await runStep({ ...apt, title: 'apt-get update', args: ['update', '-qq'] });
  await runStep({
    ...apt,
    title: 'apt-get install chromium-headless-shell',
    // Without any font a page prints empty; Liberation has the metrics of Arial, Times and Courier.
    args: [
      'install',
      '-y',
      '--no-install-recommends',
      'chromium-headless-shell',
      'fonts-liberation',
    ],
    progress: (line) => /^(?:Get:\d+|Unpacking|Setting up) .{0,60}/.exec(line)?.[0],
  });
}

/** @param {string} path */
function runs(path) {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false; // Playwright's download starts only where the system has its libraries (nss, fontconfig …).
  }
}
