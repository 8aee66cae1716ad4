import { once } from 'node:events';
import { ConfigError } from '../config/config.ts';

/**
 * Runs a process until SIGTERM or SIGINT, then disposes of what `start` opened; the process ends when its event loop is
 * empty. A second signal ends it at once.
 *
 * @param start is given a signal that aborts then: what it still waits for, it waits for in vain
 */
export async function runProcess(
  start: (stopping: AbortSignal) => Promise<AsyncDisposable>,
): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      stop.abort();
      process.once(signal, () => process.exit(130));
    });
  const stopped = once(stop.signal, 'abort');
  try {
    await using _running = await start(stop.signal);
    await stopped;
  } catch (error) {
    // Told to stop before it was up.
    if (error === stop.signal.reason) return;
    // A wrong variable is the reader's to mend: the message says which, and a stack would hide it.
    console.error(error instanceof ConfigError ? error.message : error);
    process.exitCode = 1;
  } finally {
    process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
  }
}
