import { spawn } from 'node:child_process';

/** A terminal shows one line that changes. A log gets a line often enough to show that the step still runs. */
const terminalIntervalMs = 200;
const logIntervalMs = 5_000;
/** Enough of a failed command's output to see why: npm adds 25 lines of usage to its reason. */
const keptLines = 40;

/** A command failed. `output` holds the last lines that it printed. */
export class StepError extends Error {
  /**
   * @param {string} message
   * @param {string} output
   */
  constructor(message, output) {
    super(message);
    this.output = output;
  }
}

/**
 * Shows what a long step does and how far it is, until `done`, `failed` or `clear` is called.
 * @param {string} title what the step does, such as `npm ci`
 */
export function startStep(title) {
  const isTerminal = process.stdout.isTTY;
  const startedAt = Date.now();
  let detail = '';
  const line = () => {
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    return `  ${title}: ${detail ? `${detail}, ` : ''}${seconds} s`;
  };
  const print = () => process.stdout.write(isTerminal ? `\r\x1b[2K${line()}` : `${line()}\n`);
  print();
  const timer = setInterval(print, isTerminal ? terminalIntervalMs : logIntervalMs);
  /** @param {string} outcome */
  const finish = (outcome) => {
    clearInterval(timer);
    detail = outcome;
    print();
    if (isTerminal) process.stdout.write('\n');
  };
  return {
    /** @param {string} text how far the step is, such as `120 of 400 packages` */
    update(text) {
      detail = text;
    },
    done: () => finish('done'),
    /** @param {string} reason */
    failed: (reason) => finish(reason),
    /** Ends the step without a last line: the caller prints one of its own. */
    clear() {
      clearInterval(timer);
      if (isTerminal) process.stdout.write('\r\x1b[2K');
    },
  };
}

/**
 * Runs a command as one step. Rejects with a `StepError` when it fails or takes longer than `timeoutMs`.
 * @param {{ title: string, command: string, args: string[], cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs: number,
 *   isOptional?: boolean, progress?: (line: string) => string | undefined, poll?: () => string }} plan
 *   `isOptional`: the caller reports the failure. `progress` returns the detail to show for a line of output;
 *   `poll` is called each second and returns the detail.
 */
export async function runStep(plan) {
  const { title, command, args, cwd, env, timeoutMs, isOptional, progress, poll } = plan;
  const step = startStep(title);
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  });
  /** @type {string[]} */
  const lastLines = [];
  const polling = poll && setInterval(() => step.update(poll()), 1000);
  for (const stream of [child.stdout, child.stderr]) {
    forEachLine(stream, (line) => {
      lastLines.push(line);
      if (lastLines.length > keptLines) lastLines.shift();
      const detail = progress?.(line);
      if (detail) step.update(detail);
    });
  }
  const stopChild = () => child.kill();
  process.once('exit', stopChild);
  try {
    await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) =>
        code === 0
          ? resolve(undefined)
          : reject(new Error(`ended with ${signal ?? `code ${code}`}`)),
      );
    });
    step.done();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (isOptional) step.clear();
    else step.failed(reason);
    throw new StepError(`${command} ${args.join(' ')} ${reason}`, lastLines.join('\n'));
  } finally {
    clearInterval(polling);
    process.off('exit', stopChild);
  }
}

/**
 * @param {import('node:stream').Readable} stream
 * @param {(line: string) => void} use
 */
function forEachLine(stream, use) {
  let rest = '';
  stream.setEncoding('utf8').on('data', (chunk) => {
    // Progress bars rewrite their line with a carriage return.
    const lines = (rest + chunk).split(/[\r\n]+/);
    rest = lines.pop() ?? '';
    for (const line of lines) use(line);
  });
}
