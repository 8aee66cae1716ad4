import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Lies before a server, so that it can be cut off. */
export interface Gate extends AsyncDisposable {
  /** The server's address, by way of the gate. */
  readonly url: string;
  /** From now on the server is not reached: connections break, and new ones are refused. */
  close(): Promise<void>;
}

export async function openGate(serverUrl: string): Promise<Gate> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: Object.assign(new URL(serverUrl), { host: `127.0.0.1:${port}` }).toString(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
