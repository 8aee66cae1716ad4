import { once } from 'node:events';
import { createServer } from 'node:net';

// More than the copies of this service that anybody runs on one machine.
const MAX_STEPS = 50;

/** A free port: `preferred` or, where it is taken, one of the next; any free one without a preference. */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred === undefined) return (await tryPort(0)) as number;
  for (let port = preferred; port < preferred + MAX_STEPS; port += 1) {
    if ((await tryPort(port)) !== undefined) return port;
  }
  throw new Error(`The ports ${preferred} to ${preferred + MAX_STEPS - 1} are all taken.`);
}

/** The port that could be listened on, or undefined where it is taken. */
async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? address?.port : undefined;
}
