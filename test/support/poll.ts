import { setTimeout as sleep } from 'node:timers/promises';

const intervalMs = 20;
const defaultTimeoutMs = 20_000;

/** Asks until the answer is truthy, and returns it. An error counts as a no, and is told when time is up. */
export async function poll<T>(
  what: string,
  ask: () => Promise<T> | T,
  timeoutMs = defaultTimeoutMs,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  let cause: unknown;
  while (Date.now() < deadline) {
    try {
      const answer = await ask();
      if (answer) return answer;
    } catch (error) {
      cause = error;
    }
    await sleep(intervalMs);
  }
  throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`, { cause });
}
