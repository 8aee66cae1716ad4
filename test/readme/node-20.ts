import { join } from 'node:path';
import { installFolder } from '../../dev/install/install-packages.mjs';

const folder = join(import.meta.dirname, 'node-20');

/** Installs Node 20, the oldest that the client supports, from npm. Returns the folder of its executable. */
export async function installNode20(): Promise<string> {
  await installFolder({ folder, title: 'npm ci of Node 20' });
  return join(folder, 'node_modules/.bin');
}
