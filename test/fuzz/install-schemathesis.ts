import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../dev/install/cache-folder.mjs';

const version = '4.32.5';
const run = promisify(execFile);

/**
 * Returns the path of schemathesis. If it is missing, it is installed from PyPI into a virtual environment of Python in the cache.
 *
 * @throws Error that says what to install
 */
export async function ensureSchemathesis(): Promise<string> {
  const folder = join(cacheFolder(), `schemathesis-${version}`);
  const schemathesis = join(folder, 'bin/schemathesis');
  if (await succeeds(schemathesis, ['--version'])) return schemathesis;
  if (!(await succeeds('python3', ['-c', 'import sys, venv; assert sys.version_info >= (3, 10)'])))
    throw new Error(
      'The fuzz test needs python3 (3.10 or later, with its module venv): install it.',
    );
  console.log(`  installing schemathesis ${version} into ${folder}`);
  await run('python3', ['-m', 'venv', '--clear', folder]);
  await run(join(folder, 'bin/pip'), ['install', '--quiet', `schemathesis==${version}`]);
  return schemathesis;
}

const succeeds = (command: string, args: string[]): Promise<boolean> =>
  run(command, args).then(
    () => true,
    () => false,
  );
