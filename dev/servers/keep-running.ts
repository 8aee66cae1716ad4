import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from './server.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;
// One that ran this long did start well: what ended it is a new trouble.
const STEADY_MS = 60_000;

/** Starts a server again, on the same port and data, whenever it ends unasked; returns when it is stopped. */
export async function keepRunning(server: Server): Promise<void> {
  let delayMs = FIRST_DELAY_MS;
  while (!server.stopped) {
    const runningSince = performance.now();
    const reason = await server.exited();
    if (server.stopped) return;
    if (performance.now() - runningSince > STEADY_MS) delayMs = FIRST_DELAY_MS;
    console.error(`  ${server.name} ended (${reason}) and is started again, see ${server.logFile}`);
    await delay(delayMs, undefined, { ref: false }); // nobody waits for it once we stop
    delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
    await server.start().catch((error) => {
      if (!server.stopped) console.error(`  ${error.message}`);
    });
  }
}

/** Rejects when one of the servers ends; for the time in which that means that nothing will work. */
export async function failWhenOneEnds(servers: Server[]): Promise<never> {
  const reason = await Promise.race(
    servers.map(
      async (server) => `${server.name} ended (${await server.exited()}), see ${server.logFile}`,
    ),
  );
  throw new Error(reason);
}
