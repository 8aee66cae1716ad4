import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder that keeps downloads and builds for the next clone.
 * @param {NodeJS.ProcessEnv} env
 */
export function cacheFolder(env = process.env) {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'document-rendering-service');
}
