import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { privateNode } from './install-packages.mjs';
import { runStep } from './progress.mjs';

const projectFolder = join(import.meta.dirname, '../..');

/**
 * A part of the project that must be built before it is used.
 * @typedef {object} Build
 * @property {string} title
 * @property {string[]} args the arguments of our Node
 * @property {string} output the file that is written last, or with all others
 * @property {string[]} sources files and folders of the project that the output is made from
 */

/** @type {Build[]} */
const builds = [
  {
    title: 'build the dashboard',
    args: ['node_modules/vite/bin/vite.js', 'build', 'dashboard', '--logLevel', 'warn'],
    output: 'dashboard/dist/index.html',
    // It imports from other folders too, but only types.
    sources: ['dashboard', 'contracts', 'package-lock.json'],
  },
  {
    title: 'build the client',
    args: ['client/build.ts'],
    output: 'client/dist/package.json',
    sources: ['client', 'contracts', 'package.json', 'package-lock.json', 'tsconfig.json'],
  },
];

/** Each build takes about 3 s. */
const buildTimeoutMs = 2 * 60_000;

/** Builds each part whose output is missing or older than one of its sources. The check takes 5 ms. */
export async function ensureBuilds() {
  for (const { title, args, output, sources } of builds) {
    const newestSource = Math.max(...sources.map(findChangeTime));
    if (findChangeTime(output) > newestSource) continue;
    await runStep({
      title,
      command: privateNode,
      args,
      cwd: projectFolder,
      timeoutMs: buildTimeoutMs,
    });
  }
}

/**
 * The time at which a file, or the newest file below a folder, was changed; 0 if it does not exist.
 * @param {string} path within the project
 * @returns {number}
 */
function findChangeTime(path) {
  const status = statSync(join(projectFolder, path), { throwIfNoEntry: false });
  if (!status) return 0;
  if (!status.isDirectory()) return status.mtimeMs;
  const names = readdirSync(join(projectFolder, path)).filter((name) => name !== 'dist');
  // The folder's own time counts too: it changes when a file in it is deleted.
  return Math.max(status.mtimeMs, ...names.map((name) => findChangeTime(join(path, name))));
}
