import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where downloads and builds are kept for the next clone.
 * @param {NodeJS.ProcessEnv} env
 */
export function cacheFolder(env = process.env) {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'document-rendering-service');
}
