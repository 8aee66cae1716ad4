import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLineOf } from '../../dev/servers/processes.ts';

interface ProcessState {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
}

/** The process table, zombies (`Z`) included. */
function listProcesses(): ProcessState[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the name, in brackets, may hold anything. */
function readProcess(pid: number): ProcessState | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/** A worker's Chromium: all processes below it. */
export function processesBelow(pid: number): number[] {
  const all = listProcesses();
  const below = [pid];
  for (const ancestor of below)
    below.push(...all.filter(({ parent }) => parent === ancestor).map((one) => one.pid));
  return below.slice(1);
}

/** The browsers of a worker, without the processes that each of them starts. */
export const browsersOf = (pid: number): number[] =>
  processesBelow(pid).filter((one) => commandLineOf(one).includes(workFolderOf(pid)));

/** True for a process that runs, false for one that ended, also where nobody has asked for its exit code. */
export function isRunning(pid: number): boolean {
  const found = readProcess(pid);
  return found !== undefined && found.state !== 'Z';
}

/** Where a worker keeps its browsers' folders unless told otherwise. */
const workFolderOf = (pid: number): string => join(tmpdir(), `document-renderer-${pid}`);

/** What is left of a worker that has ended, and nothing may be: browsers, zombies of ours, its folder. */
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
