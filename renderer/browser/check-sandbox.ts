import { canReadProcesses, processIds, processStatus } from './browser-processes.ts';
import type { Browser } from './launch-browser.ts';

/** Value of `Seccomp` in /proc/<pid>/status: system calls are filtered by a program (seccomp-bpf). */
const seccompFilter = '2';

export type SandboxState = 'sandboxed' | 'not_sandboxed' | 'unknown';

/**
 * Checks from outside the processes in which Chromium runs pages (type `renderer`): their system calls must be filtered, and they
 * must have process ids of their own (nested namespaces). The answer is `unknown` if processes cannot be read, or no page runs.
 */
export async function checkSandbox(browser: Browser): Promise<SandboxState> {
  if (!canReadProcesses) return 'unknown';
  const pids = await processIds(browser, 'renderer');
  if (pids.length === 0) return 'unknown';
  const statuses = await Promise.all(pids.map(processStatus));
  const areSandboxed = statuses.every(
    (status) =>
      status.get('Seccomp') === seccompFilter &&
      (status.get('NSpid') ?? '').split(/\s+/).length > 1,
  );
  return areSandboxed ? 'sandboxed' : 'not_sandboxed';
}
