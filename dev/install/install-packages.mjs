import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isExecutable } from './executables.mjs';
import { runStep } from './progress.mjs';

const PROJECT = join(import.meta.dirname, '../..');
export const NODE = join(PROJECT, 'node_modules/.bin/node');
const INSTALL_TIMEOUT_MS = 15 * 60_000;

/** Runs `npm ci` for the project unless node_modules already is what package-lock.json says; telling takes 10 ms. */
export async function ensurePackages() {
  if (isExecutable(NODE)) await installFolder({ folder: PROJECT, title: 'npm ci' });
  else await runNpmCi({ folder: PROJECT, title: 'npm ci' });
  if (isExecutable(NODE)) return;
  throw new Error(
    "npm did not run the install script of the package 'node': see allowScripts in package.json and npm's setting ignore-scripts",
  );
}

/** @typedef {{ folder: string, title: string, args?: string[] }} Install what is told while it runs, and further arguments of `npm ci` */

/**
 * Runs `npm ci` in a folder unless its node_modules already is what its package-lock.json says.
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
    timeoutMs: INSTALL_TIMEOUT_MS,
    poll: () =>
      `${Math.min(countInstalled(folder), wanted.length)} of about ${wanted.length} packages`,
  });
}

/** @param {string} folder */
function isInstalled(folder) {
  try {
    const installed = readLock(folder, 'node_modules/.package-lock.json'); // npm writes it last
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
 * npm makes all folders first, then fills them.
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
    return 0; // npm empties the folder first
  }
}

/** npm must not run on the Node of the folder that it is about to delete. */
function pathWithoutOurNode() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.filter((folder) => !folder.endsWith('node_modules/.bin')).join(delimiter);
}
