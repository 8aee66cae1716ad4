import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from './executables.mjs';
import { findChromium, playwrightFolder } from './find-chromium.mjs';
import { runStep } from './progress.mjs';
import { tryWays } from './try-ways.mjs';

const playwrightCli = join(import.meta.dirname, '../../node_modules/playwright/cli.js');
/** Short, so that Playwright's five tries fail within seconds, not minutes, where the network is closed. */
const connectTimeoutMs = 5_000;
/** Enough for about 110 MB on a slow line. */
const downloadTimeoutMs = 10 * 60_000;

const help = `No Chromium was found and none could be installed. Install one of:
  - on Debian or Ubuntu: apt-get install chromium-headless-shell (or chromium)
  - npx playwright install --only-shell --with-deps chromium
or set its path: CHROMIUM_PATH=/path/to/chromium-headless-shell`;

/** @type {import('./try-ways.mjs').Way} */
const playwrightDownload = {
  name: "Playwright's download",
  failure: "Playwright's Chromium could not be downloaded",
  install: () => installAndFind(downloadPlaywrightShell),
};

/** @type {import('./try-ways.mjs').Way} */
const debianPackage = {
  name: 'apt',
  failure: 'apt could not install chromium-headless-shell',
  install: () => installAndFind(installDebianShell),
};

/**
 * Returns the path of a Chromium. Where the machine has none, one is installed first.
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  return tryWays(canUseApt() ? [playwrightDownload, debianPackage] : [playwrightDownload], help);
}

/** @param {() => Promise<void>} install */
async function installAndFind(install) {
  await install();
  const installed = findChromium();
  if (!installed) throw new Error('it was installed, but is not found');
  // Playwright's Chromium starts only where the system has its libraries (nss, fontconfig …).
  if (!canStart(installed)) throw new Error('it was installed, but does not start');
  return installed;
}

async function downloadPlaywrightShell() {
  await runStep({
    title: "download Playwright's headless Chromium",
    command: process.execPath,
    args: [playwrightCli, 'install', '--only-shell', 'chromium'],
    env: {
      ...process.env,
      PLAYWRIGHT_BROWSERS_PATH: playwrightFolder(),
      PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: String(connectTimeoutMs),
    },
    timeoutMs: downloadTimeoutMs,
    isOptional: true,
    progress: (line) => /\d+% of [\d.]+ \w+/.exec(line)?.[0],
  });
}

function canUseApt() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && findOnPath(['apt-get']);
}

async function installDebianShell() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = { command: 'apt-get', env, timeoutMs: downloadTimeoutMs, isOptional: true };
  await runStep({ ...apt, title: 'apt-get update', args: ['update', '-qq'] });
  await runStep({
    ...apt,
    title: 'apt-get install chromium-headless-shell',
    // Without fonts a page prints empty. Those of Liberation have the metrics of Arial, Times and Courier.
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
function canStart(path) {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}
