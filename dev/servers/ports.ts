import { once } from 'node:events';
import { createServer } from 'node:net';

/** How many ports are tried. It is more than the number of copies of this service on one machine. */
const maxTries = 50;

/** Finds a free port: `preferred`, or one of the next ports if it is taken. Without `preferred`, any free port. */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred === undefined) return (await tryPort(0)) as number;
  for (let port = preferred; port < preferred + maxTries; port += 1) {
    if ((await tryPort(port)) !== undefined) return port;
  }
  throw new Error(`The ports ${preferred} to ${preferred + maxTries - 1} are all taken.`);
}

/** Listens on the port for a moment. Returns it, or undefined if it is taken; port 0 is any free one. */
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
