import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from './server.ts';

const firstDelayMs = 500;
const maxDelayMs = 10_000;
/** A server that ran this long had started well, so the next restart waits only the first delay again. */
const steadyRunMs = 60_000;

/** Restarts a server, on the same port and data, each time it ends without being stopped. Returns when it is stopped. */
export async function keepRunning(server: Server): Promise<void> {
  let delayMs = firstDelayMs;
  while (!server.stopped) {
    const runningSince = performance.now();
    const reason = await server.exited();
    if (server.stopped) return;
    if (performance.now() - runningSince > steadyRunMs) delayMs = firstDelayMs;
    console.error(
      `  ${server.name} ended (${reason}) and will be restarted, see ${server.logFile}`,
    );
    // Without `ref` this wait does not keep the process alive when we stop.
    await delay(delayMs, undefined, { ref: false });
    delayMs = Math.min(delayMs * 2, maxDelayMs);
    await server.start().catch((error) => {
      if (!server.stopped) console.error(`  ${error.message}`);
    });
  }
}

/** Rejects when one of the servers ends. Use it while the service starts and cannot work without each of them. */
export async function failWhenOneEnds(servers: readonly Server[]): Promise<never> {
  const reason = await Promise.race(
    servers.map(
      async (server) => `${server.name} ended (${await server.exited()}), see ${server.logFile}`,
    ),
  );
  throw new Error(reason);
}
