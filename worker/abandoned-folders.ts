import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Removes the work folders that killed workers left behind: folders beside ours whose name ends in the id of a process that
 * does not run. Does nothing if RENDERER_WORK_FOLDER names our folder: then the next worker with that folder empties it.
 */
export async function removeAbandonedFolders(workFolder: string): Promise<void> {
  const ours = basename(workFolder);
  const suffix = `-${process.pid}`;
  if (!ours.endsWith(suffix)) return;
  const prefix = ours.slice(0, -suffix.length);
  const parent = dirname(workFolder);
  for (const name of await readdir(parent)) {
    const [, start, pid] = /^(.+)-(\d+)$/.exec(name) ?? [];
    if (start === prefix && !isRunning(Number(pid)))
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only checks whether the process exists: https://nodejs.org/api/process.html#processkillpid-signal
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
