import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/**
 * The first of `names` that is on the PATH, as an absolute path.
 * @param {string[]} names
 * @param {NodeJS.ProcessEnv} env
 */
export function findOnPath(names, env = process.env) {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Whether every user can reach `path`. Chromium and PostgreSQL do not run as root: where we do, what
 * they need must not lie below a folder such as /root, which only root may enter.
 * @param {string} path an existing absolute path
 */
export function isReachableByEveryone(path) {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & constants.S_IXOTH) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
