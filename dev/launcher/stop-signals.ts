const stopSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * One Ctrl-C reaches us up to three times within a few milliseconds: from the terminal, and passed on by npm and by dev/bootstrap.mjs.
 * A signal more than this long after the first is a second Ctrl-C.
 */
const sameRequestMs = 500;

export interface StopRequests extends Disposable {
  /** Aborted at the first request to stop. */
  readonly signal: AbortSignal;
  /** Resolves at the first request to stop. */
  readonly requested: Promise<void>;
}

/** Listens for Ctrl-C, SIGTERM and a closed terminal. Calls `force` at a second request. */
export function listenForStop(force: () => void): StopRequests {
  const { promise, resolve } = Promise.withResolvers<void>();
  const controller = new AbortController();
  let firstAt: number | undefined;
  const listener = () => {
    firstAt ??= performance.now();
    if (performance.now() - firstAt > sameRequestMs) force();
    controller.abort();
    resolve();
  };
  for (const signal of stopSignals) process.on(signal, listener);
  // Without a timer the process would end while it only waits for a signal.
  const keepAlive = setInterval(() => {}, 2 ** 30);
  return {
    signal: controller.signal,
    requested: promise,
    [Symbol.dispose]: () => {
      clearInterval(keepAlive);
      for (const signal of stopSignals) process.off(signal, listener);
    },
  };
}
