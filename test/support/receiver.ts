import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

export interface Receiver extends AsyncDisposable {
  readonly port: number;
  /** The requests to a path, oldest first. */
  received(path: string): readonly Received[];
  /** Sets how a path answers. `before` is the number of earlier requests. The default answer is 204. */
  answer(path: string, send: (response: ServerResponse, before: number) => void): void;
  url(path: string): string;
}

/** Starts a receiver of webhooks on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const requests: Received[] = [];
  const answers = new Map<string, (response: ServerResponse, before: number) => void>();
  const received = (path: string) => requests.filter((request) => request.path === path);
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const before = received(path).length;
    const at = Date.now();
    requests.push({
      path,
      headers: request.headers,
      body: String(await buffer(request)),
      at,
    });
    const answer = answers.get(path);
    if (answer) answer(response, before);
    else response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    received,
    answer: (path, send) => answers.set(path, send),
    url: (path) => `http://127.0.0.1:${port}${path}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
