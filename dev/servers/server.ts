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

/** Every server starts within two seconds [measured]; a cold disk or a busy CI machine takes longer. */
const startTimeoutMs = 60_000;
/** Temporal takes 1.6 s to stop [measured]. */
const defaultStopTimeoutMs = 15_000;
/** A start appends to the log of earlier starts. If that log is larger than this, it is emptied first. */
const maxLogBytes = 20 * 1024 * 1024;
/** Enough of a log to see why a server did not start. */
const shownLogLines = 25;

/** Describes a process that we run as a server. */
export interface ServerPlan {
  readonly name: string;
  /** The folder for `<name>.log` and `<name>.pid`. */
  readonly directory: string;
  /** The working directory; `/` by default, which every user can reach. */
  readonly cwd?: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  /** A part of the command line that no other process has. It tells whether a pid still belongs to this server. */
  readonly mark: string;
  /** SIGTERM by default. */
  readonly stopSignal?: NodeJS.Signals;
  /** After this time a stopping process is killed; 15 s by default. */
  readonly stopTimeoutMs?: number;
  /** `start` runs this once, before the process. */
  readonly prepare?: () => Promise<void>;
  /** Returns false or throws while the server does not answer. */
  readonly isReady: () => Promise<boolean>;
  /** If a start fails and the log matches this, the start is tried again until the time is up. */
  readonly retryWhen?: RegExp;
  /** Is called with each line of output, which is also written to the log. */
  readonly onLine?: (line: string) => void;
}

/** A process in a group of its own, so that Ctrl-C in the terminal reaches only us, and we stop the servers in order. */
export interface Server extends AsyncDisposable {
  readonly name: string;
  readonly pid: number | undefined;
  readonly logFile: string;
  /** Starts the server, or restarts it on the same port and data. Resolves when it is ready. */
  start(): Promise<void>;
  /** Stops the server for good: sends its stop signal, waits, and kills what is left of its process group. */
  stop(): Promise<void>;
  /** Sends a signal, SIGKILL by default, to the whole process group. After SIGKILL it resolves when the process has ended. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Resolves when the running process ends, with the reason, such as `code 1` or `SIGKILL`. */
  exited(): Promise<string>;
  /** True once `stop` was called. A server that crashed is not stopped. */
  readonly stopped: boolean;
}

/** Creates a server from its plan. Nothing runs before `start`. */
export function createServer(plan: ServerPlan): Server {
  const logFile = join(plan.directory, `${plan.name}.log`);
  let child: ChildProcess | undefined;
  let exit = Promise.resolve('not started');
  let stopped = false;

  async function start(): Promise<void> {
    mkdirSync(plan.directory, { recursive: true });
    await stopLeftover(pidFileOf(plan));
    await plan.prepare?.();
    const deadline = performance.now() + startTimeoutMs;
    const logStart = prepareLog(logFile);
    while (!(await startOnce(deadline))) {
      const tail = lastLines(logFile, logStart);
      if (!stopped && plan.retryWhen?.test(tail) && performance.now() < deadline) continue;
      throw new Error(`${plan.name} did not start (${await exit}), see ${logFile}\n${tail}`);
    }
  }

  /** Returns true when the server is ready, false if it ended or was not ready in time. */
  async function startOnce(deadline: number): Promise<boolean> {
    if (stopped) throw new Error(`${plan.name} was stopped while it started`);
    const running = spawnInOwnGroup(plan, logFile);
    child = running;
    let ended = false;
    exit = new Promise<string>((resolve) => {
      running.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
      // The command could not be run.
      running.once('error', (error) => resolve(error.message));
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

/** Starts a server. If the start fails, the server is stopped and the error is thrown again. */
export async function startOrStop<S extends Server>(server: S): Promise<S> {
  try {
    await server.start();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The content of a pid file: enough for another launcher to stop the process. */
interface PidFile {
  readonly pid: number;
  readonly mark: string;
  readonly stopSignal?: NodeJS.Signals | undefined;
  readonly stopTimeoutMs?: number | undefined;
}

/** Records a process for `stopLeftovers`. */
export function writePidFile(file: string, content: PidFile): void {
  writeFileSync(file, JSON.stringify(content));
}

/** Stops the processes whose pid files are in `directory`, in order of their names. A launcher that was killed leaves them. */
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
    await waitUntil(() => !isRunning(), stopTimeoutMs ?? defaultStopTimeoutMs);
    sendSignal(-pid, 'SIGKILL');
    await waitUntil(() => !isRunning(), defaultStopTimeoutMs);
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

/** Ends a process with `signal`, then kills what is left of its group. */
async function end(
  child: ChildProcess,
  signal: NodeJS.Signals,
  exit: Promise<string>,
  timeoutMs: number = defaultStopTimeoutMs,
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

/** Creates the log, or empties one that is too large. Returns its size in bytes. */
function prepareLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const kept = size <= maxLogBytes;
  closeSync(openSync(file, kept ? 'a' : 'w', 0o600));
  return kept ? size : 0;
}

function lastLines(file: string, fromByte: number): string {
  const text = readFileSync(file).subarray(fromByte).toString('utf8');
  return text.trimEnd().split('\n').slice(-shownLogLines).join('\n');
}
