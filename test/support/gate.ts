import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a server. Closing it cuts the server off. */
export interface Gate extends AsyncDisposable {
  /** The server's URL, with the address of the gate. */
  readonly url: string;
  /** Breaks all connections to the server and refuses new ones. */
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
