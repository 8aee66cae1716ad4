import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { commandLineOf, sendSignal, waitUntil } from './processes.ts';

// Every server is up within two seconds [measured]; a cold disk or a busy CI machine takes longer.
const START_TIMEOUT_MS = 60_000;
// Temporal takes 1.6 s to stop [measured].
const STOP_TIMEOUT_MS = 15_000;
// A log is kept from one start to the next until it is this large.
const MAX_LOG_BYTES = 20 * 1024 * 1024;
// Enough of a log to see why a server did not start.
const LOG_TAIL_LINES = 25;

/** What differs between the processes that we run. */
export interface ServerPlan {
  name: string;
  /** Holds `<name>.log` and `<name>.pid`. */
  directory: string;
  /** Where it runs; `/` unless given, which every user can reach. */
  cwd?: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  /** A part of the command line that no other process has: how a pid is known to be still ours. */
  mark: string;
  stopSignal?: NodeJS.Signals;
  stopTimeoutMs?: number;
  prepare?: () => Promise<void>;
  isReady: () => Promise<boolean>;
  /** A failure to start whose log matches this is tried again until the time is up. */
  retryWhen?: RegExp;
  /** Called with each line of output, which the log file gets in any case. */
  onLine?: (line: string) => void;
}

/** A process in a group of its own, so that Ctrl-C in the terminal reaches only us and we stop things in order. */
export interface Server extends AsyncDisposable {
  readonly name: string;
  readonly pid: number | undefined;
  readonly logFile: string;
  /** Starts it, or starts it again on the same port and data; resolves when it answers. */
  start(): Promise<void>;
  /** Stops it for good: politely, then with SIGKILL. */
  stop(): Promise<void>;
  /** Sends a signal to the whole group, as a crash would; after SIGKILL it resolves when the process has gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Resolves with the reason when the running process ends: `code 1` or `SIGKILL`. */
  exited(): Promise<string>;
  readonly stopped: boolean;
}

/** Makes a server of its plan; nothing runs before `start`. */
export function createServer(plan: ServerPlan): Server {
  const logFile = join(plan.directory, `${plan.name}.log`);
  let child: ChildProcess | undefined;
  let exit = Promise.resolve('not started');
  let stopped = false;

  async function start(): Promise<void> {
    mkdirSync(plan.directory, { recursive: true });
    await stopLeftover(pidFileOf(plan));
    await plan.prepare?.();
    const deadline = performance.now() + START_TIMEOUT_MS;
    const logStart = prepareLog(logFile);
    while (!(await startOnce(deadline))) {
      const tail = lastLines(logFile, logStart);
      if (!stopped && plan.retryWhen?.test(tail) && performance.now() < deadline) continue;
      throw new Error(`${plan.name} did not start (${await exit}), see ${logFile}\n${tail}`);
    }
  }

  /** True when it answers, false when it ended or did not answer in time. */
  async function startOnce(deadline: number): Promise<boolean> {
    if (stopped) throw new Error(`${plan.name} was stopped while it started`);
    const running = spawnInOwnGroup(plan, logFile);
    child = running;
    let ended = false;
    exit = new Promise<string>((resolve) => {
      running.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
      running.once('error', (error) => resolve(error.message)); // nothing could be run
    });
    void exit.then(() => {
      ended = true;
    });
    let ready = false;
    await waitUntil(async () => {
      ready = await plan.isReady().catch(() => false);
      return ready || ended;
    }, deadline - performance.now());
    if (ready && !ended) return true;
    await end(running, 'SIGKILL', exit);
    return false;
  }

  async function stop(): Promise<void> {
    stopped = true;
    if (child) await end(child, plan.stopSignal ?? 'SIGTERM', exit, plan.stopTimeoutMs);
    rmSync(pidFileOf(plan), { force: true });
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!child?.pid || child.exitCode !== null) return;
    sendSignal(-child.pid, signal);
    if (signal === 'SIGKILL') await exit;
  }

  return {
    name: plan.name,
    logFile,
    get pid() {
      return child?.pid;
    },
    get stopped() {
      return stopped;
    },
    start,
    stop,
    kill,
    exited: () => exit,
    [Symbol.asyncDispose]: stop,
  };
}

/** Starts a server; one that does not start leaves nothing behind. */
export async function started<S extends Server>(server: S): Promise<S> {
  try {
    await server.start();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** What a pid file says: enough to stop the process by, also for a launcher that knows nothing of it. */
interface PidFile {
  pid: number;
  mark: string;
  stopSignal?: NodeJS.Signals | undefined;
  stopTimeoutMs?: number | undefined;
}

/** Remembers a process for `stopLeftovers`. */
export function writePidFile(file: string, content: PidFile): void {
  writeFileSync(file, JSON.stringify(content));
}

/** Stops what a launcher that was killed has left running in `directory`, one after another by name. */
export async function stopLeftovers(directory: string): Promise<void> {
  if (!existsSync(directory)) return;
  for (const file of readdirSync(directory).toSorted()) {
    if (file.endsWith('.pid')) await stopLeftover(join(directory, file));
  }
}

async function stopLeftover(pidFile: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const { pid, mark, stopSignal, stopTimeoutMs }: PidFile = JSON.parse(
    readFileSync(pidFile, 'utf8'),
  );
  const isRunning = () => commandLineOf(pid).includes(mark);
  if (isRunning()) {
    sendSignal(pid, stopSignal ?? 'SIGTERM');
    await waitUntil(() => !isRunning(), stopTimeoutMs ?? STOP_TIMEOUT_MS);
    sendSignal(-pid, 'SIGKILL');
    await waitUntil(() => !isRunning(), STOP_TIMEOUT_MS);
  }
  rmSync(pidFile);
}

function spawnInOwnGroup(plan: ServerPlan, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a');
  const output = plan.onLine ? 'pipe' : log;
  const child = spawn(plan.command, plan.args, {
    cwd: plan.cwd ?? '/',
    detached: true,
    stdio: ['ignore', output, output],
    ...(plan.env && { env: plan.env }),
    ...(plan.uid !== undefined && { uid: plan.uid, gid: plan.gid }),
  });
  if (plan.onLine) passLines(child, plan.onLine, logFile);
  closeSync(log);
  const { mark, stopSignal, stopTimeoutMs } = plan;
  if (child.pid) writePidFile(pidFileOf(plan), { pid: child.pid, mark, stopSignal, stopTimeoutMs });
  return child;
}

function passLines(child: ChildProcess, onLine: (line: string) => void, logFile: string): void {
  const log = createWriteStream(logFile, { flags: 'a' });
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`);
      onLine(line);
    });
  }
  child.once('close', () => log.end());
}

/** Ends a process politely; then whatever is left of its group. */
async function end(
  child: ChildProcess,
  signal: NodeJS.Signals,
  exit: Promise<string>,
  timeoutMs: number = STOP_TIMEOUT_MS,
): Promise<void> {
  if (!child.pid) return;
  let ended = child.exitCode !== null || child.signalCode !== null;
  if (!ended) {
    sendSignal(child.pid, signal);
    void exit.then(() => {
      ended = true;
    });
    await waitUntil(() => ended, timeoutMs);
  }
  sendSignal(-child.pid, 'SIGKILL');
  if (!ended) await exit;
}

function pidFileOf(plan: ServerPlan): string {
  return join(plan.directory, `${plan.name}.pid`);
}

/** Returns the size in bytes of what earlier starts have left in the log. */
function prepareLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const kept = size <= MAX_LOG_BYTES;
  closeSync(openSync(file, kept ? 'a' : 'w', 0o600));
  return kept ? size : 0;
}

function lastLines(file: string, fromByte: number): string {
  const text = readFileSync(file).subarray(fromByte).toString('utf8');
  return text.trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
}
