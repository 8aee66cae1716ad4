import type { Browser } from './launch-browser.ts';
import { canReadProcesses, processIds, processStatus } from './process-tree.ts';

/** Mode 2 of /proc/<pid>/status: system calls are filtered by a program (seccomp-bpf). */
const seccompFilter = '2';

export type SandboxProof = 'sandboxed' | 'not_sandboxed' | 'unknown';

/** Looks at a renderer from outside: its system calls are filtered, and it has process ids of its own (nested namespaces). */
export async function proveSandbox(browser: Browser): Promise<SandboxProof> {
  if (!canReadProcesses) return 'unknown';
  const pids = await processIds(browser, 'renderer');
  if (pids.length === 0) return 'unknown';
  const statuses = await Promise.all(pids.map(processStatus));
  const proven = statuses.every(
    (status) =>
      status.get('Seccomp') === seccompFilter &&
      (status.get('NSpid') ?? '').split(/\s+/).length > 1,
  );
  return proven ? 'sandboxed' : 'not_sandboxed';
}
