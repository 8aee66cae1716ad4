import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/**
 * Finds the first of `names` on the PATH and returns its absolute path.
 * @param {string[]} names
 * @param {NodeJS.ProcessEnv} env
 */
export function findOnPath(names, env = process.env) {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/**
 * True for a file that we may execute.
 * @param {string} path
 */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * True if every user can reach `path`. Where we run as root, Chromium and PostgreSQL run as another user. Their files must not
 * lie below a folder such as /root, which only root may enter.
 * @param {string} path an existing absolute path
 */
export function isReachableByEveryone(path) {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & constants.S_IXOTH) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
