const SIGNALS: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
// One Ctrl-C reaches us up to three times within a few milliseconds: from the terminal, from npm and from
// the bootstrap, which pass it on. Only a person's second one is meant to force.
const SAME_REQUEST_MS = 500;

export interface StopRequests extends Disposable {
  /** Aborted at the first request to stop. */
  readonly signal: AbortSignal;
  /** Resolves then. */
  readonly requested: Promise<void>;
}

/** Listens for Ctrl-C, SIGTERM and a closed terminal; `force` is called at a second request. */
export function listenForStop(force: () => void): StopRequests {
  const { promise, resolve } = Promise.withResolvers<void>();
  const controller = new AbortController();
  let firstAt: number | undefined;
  const listener = () => {
    firstAt ??= performance.now();
    if (performance.now() - firstAt > SAME_REQUEST_MS) force();
    controller.abort();
    resolve();
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  // Without this the process ends while it waits for nothing but a signal.
  const keepAlive = setInterval(() => {}, 2 ** 30);
  return {
    signal: controller.signal,
    requested: promise,
    [Symbol.dispose]: () => {
      clearInterval(keepAlive);
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
