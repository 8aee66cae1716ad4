import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { hostAndPort } from '../../network/egress-policy.ts';
import type { Network } from '../../network/network.ts';
import { hostOf, portOf } from '../../network/url-target.ts';
import { serveFile, servePayload } from './document-origin.ts';
import { EgressDenied } from './egress.ts';
import { createUpstream } from './forward.ts';
import { type ProxyJob, payloadPath } from './proxy-job.ts';
import type { Certificates } from './tls-termination.ts';

/** The one door between a browser and everything else. Each browser has its own, so that no other browser finds its document. */
export interface EgressProxy extends AsyncDisposable {
  readonly port: number;
  /** From now on the browser prints that job. */
  serve(job: ProxyJob): void;
  /** True while a request of the job for that address is being answered. */
  isOpen(url: string): boolean;
  /**
   * Ends these requests where they are unanswered. Requests inside TLS tunnels cannot be told apart, so all tunnels to their hosts
   * are closed, and new ones refused until the next job.
   */
  cut(urls: readonly string[]): void;
  /** The job has ended: every connection is closed, and nothing is answered until the next. */
  release(): void;
}

export async function startEgressProxy(
  certificates: Certificates,
  network: Network,
): Promise<EgressProxy> {
  const upstream = createUpstream(network);
  const sockets = new Set<Socket>();
  /** Origin of each TLS connection that is terminated here. */
  const origins = new WeakMap<object, string>();
  const open = new Map<ServerResponse, URL>();
  const tunnels = new Map<Duplex, string>();
  let cutHosts: ReadonlySet<string> = new Set();
  let job: ProxyJob | undefined;

  const answer = async (url: URL, request: IncomingMessage, response: ServerResponse) => {
    if (!job) return response.destroy();
    open.set(response, url);
    response.on('close', () => open.delete(response));
    const ofDocument = job.address.isHome(url);
    if (ofDocument && url.pathname === payloadPath)
      return servePayload(request, response, job.payload);
    if (ofDocument && job.files) return serveFile(request, response, job, url.pathname);
    return upstream.forward(url, request, response, job);
  };

  const plain = createServer((request, response) => {
    // Absolute form is what a proxy is asked with; anything else did not come from a page.
    const url = parseUrl(request.url);
    if (url?.protocol !== 'http:') return response.writeHead(400).end();
    answer(url, request, response).catch((error) => refuse(response, error));
  });

  // Requests inside TLS connections to the host of an https URL deploy.
  const terminated = createServer((request, response) => {
    const url = parseUrl(`${origins.get(request.socket)}${request.url}`);
    if (!url) return response.destroy();
    answer(url, request, response).catch((error) => refuse(response, error));
  });
  terminated.on('upgrade', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    const url = parseUrl(`${origins.get(request.socket)}${request.url}`);
    if (!job || !url) return client.destroy();
    upstream.upgrade(url, request, client, head, job).catch(() => client.destroy());
  });

  const terminate = async (client: Duplex, head: Buffer, url: URL) => {
    const secureContext = await certificates.contextFor(hostOf(url));
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    if (head.length > 0) client.unshift(head);
    const secure = new TLSSocket(client as Socket, {
      isServer: true,
      secureContext,
      ALPNProtocols: ['http/1.1'],
    });
    secure.on('error', () => secure.destroy());
    origins.set(secure, url.origin);
    terminated.emit('connection', secure);
  };

  plain.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    const url = parseUrl(`https://${request.url}`);
    if (!job || !url) return client.destroy();
    if (!job.files && job.address.isHome(url)) {
      terminate(client, head, url).catch(() => client.destroy());
      return;
    }
    const [host, port] = [hostOf(url), portOf(url)];
    if (cutHosts.has(hostAndPort(host, port))) return client.destroy();
    tunnels.set(client, hostAndPort(host, port));
    client.on('close', () => tunnels.delete(client));
    const connected = upstream.tunnel(host, port, client, head, job);
    connected.catch(() => client.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  });

  plain.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  for (const server of [plain, terminated]) leaveTimeoutsToTheJob(server);
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');

  const release = (): void => {
    job = undefined;
    for (const socket of sockets) socket.destroy();
  };

  return {
    port: (plain.address() as AddressInfo).port,
    serve: (next) => {
      job = next;
      cutHosts = new Set();
    },
    isOpen: (url) => [...open.values()].some(({ href }) => href === url),
    cut(urls) {
      const addresses = new Set(urls);
      for (const [response, url] of open) {
        if (!addresses.has(url.href)) continue;
        // An answer, because Chromium asks again where a connection that it kept open is closed.
        if (response.headersSent) response.destroy();
        else response.writeHead(504, { 'content-length': 0 }).end();
      }
      const targets = urls.map((url) => new URL(url));
      cutHosts = new Set(targets.map((url) => hostAndPort(hostOf(url), portOf(url))));
      for (const [client, host] of tunnels) if (cutHosts.has(host)) client.destroy();
    },
    release,
    async [Symbol.asyncDispose]() {
      release();
      upstream.close();
      plain.close();
      await once(plain, 'close');
    },
  };
}

/** The job's limit ends every connection; a timeout of ours would only break a slow page earlier. */
function leaveTimeoutsToTheJob(server: Server): void {
  server.keepAliveTimeout = 0;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(error instanceof EgressDenied ? 403 : 502, { 'content-length': 0 }).end();
}

const parseUrl = (url: string | undefined): URL | undefined => URL.parse(url ?? '') ?? undefined;
