import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { hostAndPort } from '../../network/egress-policy.ts';
import type { Network } from '../../network/network.ts';
import { hostOf, portOf } from '../../network/url-target.ts';
import { EgressDenied } from './admit-egress.ts';
import { type ProxyJob, payloadPath } from './proxy-job.ts';
import { serveFile, servePayload } from './serve-document.ts';
import type { Certificates } from './tls-termination.ts';
import { createUpstream } from './upstream.ts';

/** The only way of a browser to the network. It also serves the document. Each browser has its own, so that no other browser can reach its document. */
export interface EgressProxy extends AsyncDisposable {
  readonly port: number;
  /** Starts to answer the requests of a job. */
  serve(job: ProxyJob): void;
  /** True while a request for this address is being answered. Requests inside TLS tunnels are not seen. */
  isRequestOpen(url: string): boolean;
  /**
   * Aborts the unanswered requests for these addresses. Requests inside TLS tunnels cannot be told apart, so all tunnels to their
   * hosts are closed, and new ones are refused until the next job.
   */
  abortRequests(urls: readonly string[]): void;
  /** Ends the job: closes every connection, and answers nothing until the next job. */
  release(): void;
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startEgressProxy(
  certificates: Certificates,
  network: Network,
): Promise<EgressProxy> {
  const upstream = createUpstream(network);
  const sockets = new Set<Socket>();
  /** Origin of each TLS connection that this proxy terminates. */
  const origins = new WeakMap<object, string>();
  const openRequests = new Map<ServerResponse, URL>();
  /** `host:port` of each open tunnel. */
  const tunnels = new Map<Duplex, string>();
  /** `host:port` of hosts to which no new tunnel is opened. */
  let abortedHosts: ReadonlySet<string> = new Set();
  let job: ProxyJob | undefined;

  const answer = async (url: URL, request: IncomingMessage, response: ServerResponse) => {
    if (!job) return response.destroy();
    openRequests.set(response, url);
    response.on('close', () => openRequests.delete(response));
    const isForDocument = job.address.isDocumentOrigin(url);
    if (isForDocument && url.pathname === payloadPath)
      return servePayload(request, response, job.payload);
    if (isForDocument && job.files) return serveFile(request, response, job, url.pathname);
    return upstream.forward(url, request, response, job);
  };

  const plain = createServer((request, response) => {
    // Clients of a proxy send absolute URLs. A request without one did not come from a page.
    const url = tryParseUrl(request.url);
    if (url?.protocol !== 'http:') return response.writeHead(400).end();
    answer(url, request, response).catch((error) => answerError(response, error));
  });

  // Answers requests inside TLS connections to the host of an https URL deploy.
  const terminated = createServer((request, response) => {
    const url = tryParseUrl(`${origins.get(request.socket)}${request.url}`);
    if (!url) return response.destroy();
    answer(url, request, response).catch((error) => answerError(response, error));
  });
  terminated.on('upgrade', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    const url = tryParseUrl(`${origins.get(request.socket)}${request.url}`);
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
    const url = tryParseUrl(`https://${request.url}`);
    if (!job || !url) return client.destroy();
    if (!job.files && job.address.isDocumentOrigin(url)) {
      terminate(client, head, url).catch(() => client.destroy());
      return;
    }
    const [host, port] = [hostOf(url), portOf(url)];
    if (abortedHosts.has(hostAndPort(host, port))) return client.destroy();
    tunnels.set(client, hostAndPort(host, port));
    client.on('close', () => tunnels.delete(client));
    const connected = upstream.tunnel(host, port, client, head, job);
    connected.catch(() => client.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  });

  plain.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  for (const server of [plain, terminated]) disableTimeouts(server);
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
      abortedHosts = new Set();
    },
    isRequestOpen: (url) => [...openRequests.values()].some(({ href }) => href === url),
    abortRequests(urls) {
      const addresses = new Set(urls);
      for (const [response, url] of openRequests) {
        if (!addresses.has(url.href)) continue;
        // Chromium would repeat the request if its kept-alive connection was closed, so it gets an answer.
        if (response.headersSent) response.destroy();
        else response.writeHead(504, { 'content-length': 0 }).end();
      }
      const targets = urls.map((url) => new URL(url));
      abortedHosts = new Set(targets.map((url) => hostAndPort(hostOf(url), portOf(url))));
      for (const [client, host] of tunnels) if (abortedHosts.has(host)) client.destroy();
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

/** Turns off the timeouts of the server. The time limit of the job ends every connection; a shorter one would break slow pages. */
function disableTimeouts(server: Server): void {
  server.keepAliveTimeout = 0;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
}

function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(error instanceof EgressDenied ? 403 : 502, { 'content-length': 0 }).end();
}

const tryParseUrl = (url: string | undefined): URL | undefined => URL.parse(url ?? '') ?? undefined;
