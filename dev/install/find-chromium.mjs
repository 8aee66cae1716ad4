import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findOnPath, isExecutable, isReachableByEveryone } from './executables.mjs';

const PROJECT = join(import.meta.dirname, '../..');

// Below root's home Chromium, which drops its privileges, could not reach its own files.
const ROOTS_BROWSERS_FOLDER = '/var/cache/document-rendering-service/ms-playwright';

const SYSTEM_SHELLS = ['chromium-headless-shell', 'chrome-headless-shell'];
// Last, because full Chromium is 3.5 times slower: 3.4 against 12 one-page invoices a second [measured].
const SYSTEM_BROWSERS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const MACOS_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * The Chromium to print with: what the operator names, else Playwright's headless shell, else the
 * system's, else a full browser; undefined where there is none.
 * @param {NodeJS.ProcessEnv} env
 */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  return (
    findPlaywrightsShell(env) ??
    findOnPath(SYSTEM_SHELLS, env) ??
    findOnPath(SYSTEM_BROWSERS, env) ??
    (isExecutable(MACOS_CHROME) ? MACOS_CHROME : undefined)
  );
}

/**
 * Where Playwright keeps its browsers, as PLAYWRIGHT_BROWSERS_PATH would name it.
 * @param {NodeJS.ProcessEnv} env
 */
export function playwrightsFolder(env = process.env) {
  if (env.PLAYWRIGHT_BROWSERS_PATH) return env.PLAYWRIGHT_BROWSERS_PATH;
  if (process.getuid?.() === 0 && !isReachableByEveryone(join(homedir(), 'any'))) {
    return ROOTS_BROWSERS_FOLDER;
  }
  const caches = process.platform === 'darwin' ? 'Library/Caches' : '.cache';
  return join(env.XDG_CACHE_HOME || join(homedir(), caches), 'ms-playwright');
}

/**
 * Playwright itself would tell, but takes 0.3 s to load; its folders have kept this shape for years.
 * @param {NodeJS.ProcessEnv} env
 */
function findPlaywrightsShell(env) {
  try {
    const list = readFileSync(join(PROJECT, 'node_modules/playwright-core/browsers.json'), 'utf8');
    /** @type {{ browsers: { name: string, revision: string }[] }} */
    const { browsers } = JSON.parse(list);
    const shell = browsers.find(({ name }) => name === 'chromium-headless-shell');
    const folder = join(playwrightsFolder(env), `chromium_headless_shell-${shell?.revision}`);
    return readdirSync(folder)
      .map((part) => join(folder, part, 'chrome-headless-shell'))
      .find(isExecutable);
  } catch {
    return undefined;
  }
}
