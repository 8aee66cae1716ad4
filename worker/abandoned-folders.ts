import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Removes the work folders of workers that were killed and could not do it: those beside ours whose name ends in the id of a
 * process that is no more. A folder that was named by RENDERER_WORK_FOLDER is emptied by its next worker.
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
    // Signal 0 only asks: https://nodejs.org/api/process.html#processkillpid-signal
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
