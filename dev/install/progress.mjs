import { spawn } from 'node:child_process';

// A terminal sees one line that moves; a plain log gets a line often enough to show that nothing hangs.
const TERMINAL_INTERVAL_MS = 200;
const LOG_INTERVAL_MS = 5_000;
// Enough of a failed command to see why: npm adds 25 lines of usage to its reason.
const TAIL_LINES = 40;

/**
 * Tells what a long step does and how far it is, until `done` or `failed`.
 * @param {string} title what the step does, such as `npm ci`
 */
export function startStep(title) {
  const terminal = process.stdout.isTTY;
  const startedAt = Date.now();
  let detail = '';
  const line = () => {
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    return `  ${title}: ${detail ? `${detail}, ` : ''}${seconds} s`;
  };
  const print = () => process.stdout.write(terminal ? `\r\x1b[2K${line()}` : `${line()}\n`);
  print();
  const timer = setInterval(print, terminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
  /** @param {string} outcome */
  const finish = (outcome) => {
    clearInterval(timer);
    detail = outcome;
    print();
    if (terminal) process.stdout.write('\n');
  };
  return {
    /** @param {string} text how far the step is, such as `120 of 400 packages` */
    update(text) {
      detail = text;
    },
    done: () => finish('done'),
    /** @param {string} reason */
    failed: (reason) => finish(reason),
  };
}

/**
 * Runs a command as one step; rejects with the tail of its output when it fails or takes longer than `timeoutMs`.
 * @param {{ title: string, command: string, args: string[], env?: NodeJS.ProcessEnv, timeoutMs: number,
 *   progress?: (line: string) => string | undefined, poll?: () => string }} plan
 *   `progress` makes the detail from a line of output; `poll` makes it from anything else, each second.
 */
export async function runStep({ title, command, args, env, timeoutMs, progress, poll }) {
  const step = startStep(title);
  const child = spawn(command, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  });
  /** @type {string[]} */
  const tail = [];
  const polling = poll && setInterval(() => step.update(poll()), 1000);
  for (const stream of [child.stdout, child.stderr]) {
    forEachLine(stream, (line) => {
      tail.push(line);
      if (tail.length > TAIL_LINES) tail.shift();
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
    step.failed(reason);
    throw new Error(`${command} ${args.join(' ')} ${reason}\n${tail.join('\n')}`);
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
