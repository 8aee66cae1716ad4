/** A counting semaphore. Those who wait get slots in the order in which they asked. */
export interface Slots {
  readonly busy: number;
  readonly waiting: number;
  /** Waits for a slot. Rejects with the signal's reason when that aborts. */
  acquire(signal: AbortSignal): Promise<void>;
  release(): void;
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
    acquire(signal) {
      signal.throwIfAborted();
      if (busy < count) {
        busy += 1;
        return Promise.resolve();
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const onAbort = (): void => {
        queue.splice(queue.indexOf(onSlot), 1);
        reject(signal.reason);
      };
      const onSlot = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      queue.push(onSlot);
      return promise;
    },
    release() {
      const next = queue.shift();
      if (next) next();
      else busy -= 1;
    },
  };
}
