import { ConfigError } from './config.ts';

/**
 * Runs a process until SIGTERM or SIGINT, then disposes of what `start` opened; the process ends when its event loop is
 * empty. A second signal ends it at once.
 */
export async function runProcess(start: () => Promise<AsyncDisposable>): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => {
        resolve();
        process.once(signal, () => process.exit(130));
      });
  });
  try {
    await using _running = await start();
    await stopped;
  } catch (error) {
    // A wrong variable is the reader's to mend: the message says which, and a stack would hide it.
    console.error(error instanceof ConfigError ? error.message : error);
    process.exitCode = 1;
  } finally {
    process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
  }
}
