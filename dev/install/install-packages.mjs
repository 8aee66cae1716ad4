import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isExecutable } from './executables.mjs';
import { runStep } from './progress.mjs';

const projectFolder = join(import.meta.dirname, '../..');
/** Our own Node, a package: it runs TypeScript, which the Node of the machine may not. */
export const privateNode = join(projectFolder, 'node_modules/.bin/node');
const installTimeoutMs = 15 * 60_000;

/** Runs `npm ci` for the project unless its node_modules matches package-lock.json. The check takes 10 ms. */
export async function ensurePackages() {
  if (isExecutable(privateNode)) await installFolder({ folder: projectFolder, title: 'npm ci' });
  else await runNpmCi({ folder: projectFolder, title: 'npm ci' });
  if (isExecutable(privateNode)) return;
  throw new Error(
    "npm did not run the install script of the package 'node': see allowScripts in package.json and npm's setting ignore-scripts",
  );
}

/**
 * @typedef {object} Install
 * @property {string} folder
 * @property {string} title shown while it runs
 * @property {string[]} [args] more arguments of `npm ci`
 */

/**
 * Runs `npm ci` in a folder unless its node_modules matches its package-lock.json.
 * @param {Install} install
 */
export async function installFolder(install) {
  if (!isInstalled(install.folder)) await runNpmCi(install);
}

/** @param {Install} install */
async function runNpmCi({ folder, title, args = [] }) {
  const wanted = Object.entries(readLock(folder, 'package-lock.json')).filter(isTopLevelHere);
  await runStep({
    title,
    command: 'npm',
    args: [
      'ci',
      ...['--prefix', folder],
      ...['--no-audit', '--no-fund', '--loglevel=error'],
      ...args,
    ],
    env: { ...process.env, PATH: pathWithoutOurNode() },
    timeoutMs: installTimeoutMs,
    poll: () =>
      `${Math.min(countInstalled(folder), wanted.length)} of about ${wanted.length} packages`,
  });
}

/** @param {string} folder */
function isInstalled(folder) {
  try {
    // npm writes this file last.
    const installed = readLock(folder, 'node_modules/.package-lock.json');
    return Object.entries(readLock(folder, 'package-lock.json')).every(
      ([path, { version, optional }]) =>
        path === '' || installed[path]?.version === version || (optional && !installed[path]),
    );
  } catch {
    return false;
  }
}

/** @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[] }} LockedPackage */

/**
 * @param {string} folder
 * @param {string} file
 * @returns {Record<string, LockedPackage>}
 */
function readLock(folder, file) {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')).packages;
}

/** @param {[string, LockedPackage]} entry */
const isTopLevelHere = ([path, { os, cpu }]) =>
  path.lastIndexOf('node_modules/') === 0 &&
  (os?.includes(process.platform) ?? true) &&
  (cpu?.includes(process.arch) ?? true);

/**
 * Counts the packages that have a package.json: npm first creates all folders, then fills them.
 * @param {string} folder
 */
function countInstalled(folder) {
  try {
    const modules = join(folder, 'node_modules');
    return readdirSync(modules)
      .filter((name) => !name.startsWith('.'))
      .flatMap((name) =>
        name.startsWith('@')
          ? readdirSync(join(modules, name)).map((part) => join(name, part))
          : name,
      )
      .filter((name) => existsSync(join(modules, name, 'package.json'))).length;
  } catch {
    // npm first deletes the folder.
    return 0;
  }
}

/** The PATH for npm, which must not run on the Node of the folder that it is about to delete. */
function pathWithoutOurNode() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.filter((folder) => !folder.endsWith('node_modules/.bin')).join(delimiter);
}
