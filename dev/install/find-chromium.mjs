import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findOnPath, isExecutable, isReachableByEveryone } from './executables.mjs';

const projectFolder = join(import.meta.dirname, '../..');

/** The folder for browsers if we are root. We then run Chromium as another user, who may not read files below root's home. */
const rootBrowsersFolder = '/var/cache/document-rendering-service/ms-playwright';

const systemShells = ['chromium-headless-shell', 'chrome-headless-shell'];
/** Tried last, because full Chromium is 3.5 times slower: 3.4 instead of 12 one-page invoices a second [measured]. */
const systemBrowsers = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const macosChrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * Finds the Chromium to print with: that of CHROMIUM_PATH, else Playwright's headless shell, else the system's headless shell,
 * else a full browser. Returns undefined if the machine has none.
 * @param {NodeJS.ProcessEnv} env
 */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  return (
    findPlaywrightShell(env) ??
    findOnPath(systemShells, env) ??
    findOnPath(systemBrowsers, env) ??
    (isExecutable(macosChrome) ? macosChrome : undefined)
  );
}

/**
 * The folder in which Playwright keeps its browsers: PLAYWRIGHT_BROWSERS_PATH, or the value that we set for it.
 * @param {NodeJS.ProcessEnv} env
 */
export function playwrightFolder(env = process.env) {
  if (env.PLAYWRIGHT_BROWSERS_PATH) return env.PLAYWRIGHT_BROWSERS_PATH;
  if (process.getuid?.() === 0 && !isReachableByEveryone(join(homedir(), 'any'))) {
    return rootBrowsersFolder;
  }
  const caches = process.platform === 'darwin' ? 'Library/Caches' : '.cache';
  return join(env.XDG_CACHE_HOME || join(homedir(), caches), 'ms-playwright');
}

/**
 * Finds Playwright's headless shell by the names of its folders, which have not changed for years. Playwright itself knows the
 * path, but takes 0.3 s to load.
 * @param {NodeJS.ProcessEnv} env
 */
function findPlaywrightShell(env) {
  try {
    const list = readFileSync(
      join(projectFolder, 'node_modules/playwright-core/browsers.json'),
      'utf8',
    );
    /** @type {{ browsers: { name: string, revision: string }[] }} */
    const { browsers } = JSON.parse(list);
    const shell = browsers.find(({ name }) => name === 'chromium-headless-shell');
    const folder = join(playwrightFolder(env), `chromium_headless_shell-${shell?.revision}`);
    return readdirSync(folder)
      .map((part) => join(folder, part, 'chrome-headless-shell'))
      .find(isExecutable);
  } catch {
    return undefined;
  }
}
