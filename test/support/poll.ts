import { setTimeout as sleep } from 'node:timers/promises';

const intervalMs = 20;
const defaultTimeoutMs = 20_000;

type NotYet = false | null | undefined;

/**
 * Calls `ask` until it gives an answer, and returns that. `false`, null, undefined and an error are no answer.
 *
 * @throws an Error that names `what` when there is no answer in time; its cause is the last error of `ask`
 */
export async function poll<T>(
  what: string,
  ask: () => Promise<T | NotYet> | T | NotYet,
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
  throw new Error(`Waited ${timeoutMs} ms for ${what}, but it did not happen.`, { cause });
}
