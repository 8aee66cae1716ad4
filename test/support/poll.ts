import { setTimeout as sleep } from 'node:timers/promises';

const intervalMs = 20;
const defaultTimeoutMs = 20_000;

type Nothing = false | null | undefined;

/** Asks until there is an answer, and returns it. An error counts as none, and is told when time is up. */
export async function poll<T>(
  what: string,
  ask: () => Promise<T | Nothing> | T | Nothing,
  timeoutMs = defaultTimeoutMs,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let cause: unknown;
  while (Date.now() < deadline) {
    try {
      const answer = await ask();
      if (answer !== false && answer !== null && answer !== undefined) return answer;
    } catch (error) {
      cause = error;
    }
    await sleep(intervalMs);
  }
  throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`, { cause });
}
