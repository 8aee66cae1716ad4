import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a server. Closing it cuts the server off, for those that were given the URL of the gate. */
export interface Gate extends AsyncDisposable {
  /** The server's URL, with the address of the gate. */
  readonly url: string;
  /** Breaks all connections to the server and refuses new ones. */
  close(): Promise<void>;
  /** Lets connections through again, at the same URL. */
  reopen(): Promise<void>;
}

/** Opens a gate in front of the server of a URL. Disposing of it closes it. */
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
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: Object.assign(new URL(serverUrl), { host: `127.0.0.1:${port}` }).toString(),
    close,
    reopen: () => listen(port),
    [Symbol.asyncDispose]: close,
  };
}

/** A gate in front of a blob storage. */
export interface StorageGate extends Gate {
  /** The connection string of the storage, by way of the gate. */
  readonly connectionString: string;
}

/** Opens a gate in front of the blob storage of a connection string, such as `AZURE_STORAGE_CONNECTION_STRING`. */
export async function openStorageGate(connectionString: string): Promise<StorageGate> {
  const endpoint = /BlobEndpoint=([^;]+)/.exec(connectionString)?.[1];
  if (!endpoint) throw new Error('The connection string has no BlobEndpoint.');
  const gate = await openGate(endpoint);
  return { ...gate, connectionString: connectionString.replace(endpoint, gate.url) };
}
