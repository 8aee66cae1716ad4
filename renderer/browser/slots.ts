/** A counting semaphore: first come, first served. */
export interface Slots {
  readonly busy: number;
  readonly waiting: number;
  /** Waits for a slot; rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<void>;
  give(): void;
}

export function createSlots(count: number): Slots {
  const queue: (() => void)[] = [];
  let busy = 0;
  return {
    get busy() {
      return busy;
    },
    get waiting() {
      return queue.length;
    },
    take(signal) {
      signal.throwIfAborted();
      if (busy < count) {
        busy += 1;
        return Promise.resolve();
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const onAbort = (): void => {
        queue.splice(queue.indexOf(begin), 1);
        reject(signal.reason);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      queue.push(begin);
      return promise;
    },
    give() {
      const next = queue.shift();
      if (next) next();
      else busy -= 1;
    },
  };
}
