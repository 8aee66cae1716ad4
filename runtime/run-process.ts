import { once } from 'node:events';
import { ConfigError } from '../config/config.ts';

/**
 * Runs `start`, waits for SIGTERM or SIGINT, then disposes of the result of `start`. The process ends when its event loop is
 * empty. If the same signal comes a second time, the process ends at once.
 *
 * @param start gets a signal that aborts when the process has to stop. While it still waits for something, it may throw the
 *   signal's reason.
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
    // The process got a stop signal before it had started.
    if (error === stop.signal.reason) return;
    // The message of a ConfigError names the variable to correct. A stack would hide it.
    console.error(error instanceof ConfigError ? error.message : error);
    process.exitCode = 1;
  } finally {
    process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
  }
}
