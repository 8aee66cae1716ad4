import { readdirSync, readFileSync } from 'node:fs';

export const parts = [
  'api',
  'worker',
  'chromium',
  'temporal',
  'postgres',
  'azurite',
  'bench',
] as const;
type Part = (typeof parts)[number];
/** CPU time in ms, user and system together. */
export type CpuByPart = Readonly<Record<Part, number>>;

/** A process that we started. Its own time counts as `self`, the time of its descendants as `children`. */
export interface Root {
  readonly pid: number;
  readonly self: Part;
  readonly children: Part;
}

interface ProcessTimes {
  readonly parent: number;
  readonly startTime: string;
  readonly ownMs: number;
  /** The time of the children that it has waited for, and of their children. */
  readonly reapedMs: number;
}

/** Linux shows CPU times in hundredths of a second. */
const tickMs = 10;
/** The times of a browser's processes are lost when it is killed, so they are read this often. */
const sampleMs = 250;

/** Measures the CPU time that each part uses for `work`; undefined without /proc. The meter itself uses about 1 % of a core. */
export async function meterCpu<T>(
  roots: readonly Root[],
  work: () => Promise<T>,
): Promise<{ result: T; cpu: CpuByPart | undefined }> {
  if (process.platform !== 'linux') return { result: await work(), cpu: undefined };
  const meter = createMeter(roots);
  const before = meter.read();
  const timer = setInterval(meter.read, sampleMs);
  try {
    const result = await work();
    const after = meter.read();
    const used = parts.map((part) => [part, after[part] - before[part]]);
    return { result, cpu: Object.fromEntries(used) as CpuByPart };
  } finally {
    clearInterval(timer);
  }
}

interface Known extends ProcessTimes {
  readonly root: Root;
}

function createMeter(roots: readonly Root[]) {
  const rootsByPid = new Map(roots.map((root) => [root.pid, root]));
  /** The times of processes that have ended, if no running parent counts them. */
  const lost = noTimes();
  /** The processes at the last reading. */
  let known: ReadonlyMap<number, Known> = new Map();

  /** Finds the nearest root above a process. If the parent was killed, the root that the process had before. */
  const rootOf = (pid: number, all: ReadonlyMap<number, ProcessTimes>): Root | undefined => {
    for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) {
      const root = rootsByPid.get(at);
      if (root) return root;
    }
    const before = known.get(pid);
    return before?.startTime === all.get(pid)?.startTime ? before?.root : undefined;
  };

  const read = (): CpuByPart => {
    const all = readProcesses();
    const current = new Map<number, Known>();
    for (const [pid, process] of all) {
      const root = rootOf(pid, all);
      if (root) current.set(pid, { ...process, root });
    }
    const hasEnded = (pid: number): boolean =>
      current.get(pid)?.startTime !== known.get(pid)?.startTime || !known.has(pid);
    // A parent that still runs has waited for the process, so the time is in its `reapedMs`. If the parent has ended too, it is not.
    for (const [pid, { parent, root, ownMs, reapedMs }] of known)
      if (hasEnded(pid) && hasEnded(parent)) lost[root.children] += ownMs + reapedMs;
    const times = { ...lost };
    for (const [pid, { root, ownMs, reapedMs }] of current) {
      times[root.pid === pid ? root.self : root.children] += ownMs;
      times[root.children] += reapedMs;
    }
    known = current;
    return times;
  };
  return { read };
}

const noTimes = (): Record<Part, number> =>
  Object.fromEntries(parts.map((part) => [part, 0])) as Record<Part, number>;

function readProcesses(): Map<number, ProcessTimes> {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return new Map(
    pids.flatMap((pid) => {
      const times = readTimes(pid);
      return times ? [[pid, times] as const] : [];
    }),
  );
}

/** Reads `/proc/<pid>/stat`, see proc(5); undefined for a process that has ended. */
function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain spaces and parentheses. The fields after it are counted from the third.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const field = (number: number): string => fields[number - 3] ?? '';
    const ticks = (first: number): number => Number(field(first)) + Number(field(first + 1));
    return {
      parent: Number(field(4)),
      startTime: field(22),
      ownMs: ticks(14) * tickMs,
      reapedMs: ticks(16) * tickMs,
    };
  } catch {
    return undefined;
  }
}
