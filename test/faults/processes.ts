import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLineOf } from '../../dev/servers/processes.ts';

interface ProcessState {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
}

/** Lists all processes, including zombies (state `Z`). */
function listProcesses(): ProcessState[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** Reads `/proc/<pid>/stat`. The name of the process in it is in brackets and may have any characters: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function readProcess(pid: number): ProcessState | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/** Lists all descendants of a process. Those of a worker are its Chromium. */
export function descendantsOf(pid: number): number[] {
  const all = listProcesses();
  const below = [pid];
  for (const ancestor of below)
    below.push(...all.filter(({ parent }) => parent === ancestor).map((one) => one.pid));
  return below.slice(1);
}

/** Lists the browsers of a worker, without their child processes. */
export const browsersOf = (pid: number): number[] =>
  descendantsOf(pid).filter((one) => commandLineOf(one).includes(workFolderOf(pid)));

/** True while the process runs. A zombie has ended. */
export function isRunning(pid: number): boolean {
  const found = readProcess(pid);
  return found !== undefined && found.state !== 'Z';
}

/** The default folder in which a worker keeps the folders of its browsers. */
const workFolderOf = (pid: number): string => join(tmpdir(), `document-renderer-${pid}`);

/** Lists what a worker has left behind: browsers, zombies, its folder. It must leave nothing. */
export function leftoversOf(pid: number): string[] {
  const folder = workFolderOf(pid);
  const processes = listProcesses().filter(
    (one) =>
      commandLineOf(one.pid).includes(folder) || (one.state === 'Z' && one.parent === process.pid),
  );
  return [
    ...processes.map((one) => `process ${one.pid} (${one.state})`),
    ...(existsSync(folder) ? [folder] : []),
  ];
}
