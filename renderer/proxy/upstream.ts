import {
  type ClientRequest,
  type ClientRequestArgs,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { hostAndPort } from '../../network/egress-policy.ts';
import type { Network } from '../../network/network.ts';
import { hostOf, portOf } from '../../network/url-target.ts';
import { admitEgress } from './admit-egress.ts';
import type { ProxyJob } from './proxy-job.ts';

/** Connections to the servers that pages ask for, kept open between the requests of one browser. */
export interface Upstream {
  /** Forwards a request, and streams its answer back. */
  forward(
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
    job: ProxyJob,
  ): Promise<void>;
  /** Connects the client of a `CONNECT` request to its target. */
  tunnel(host: string, port: number, client: Duplex, head: Buffer, job: ProxyJob): Promise<void>;
  /** Forwards a WebSocket handshake that arrived inside a TLS connection which the proxy terminates. */
  upgrade(
    url: URL,
    request: IncomingMessage,
    client: Duplex,
    head: Buffer,
    job: ProxyJob,
  ): Promise<void>;
  close(): void;
}

type TlsRequestArgs = ClientRequestArgs & { servername?: string };

/** Headers of a single connection (RFC 9110 7.6.1), and those of proxies. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Creates connections that reach only the addresses which the egress rules of the job allow. */
export function createUpstream(network: Network): Upstream {
  const plainAgent = new HttpAgent({ keepAlive: true });
  const secureAgent = new HttpsAgent({ keepAlive: true });
  // The agents store their sockets by address, not by name, so a socket is reused only for an address that was just checked.
  plainAgent.createConnection = ({ host, port }: ClientRequestArgs) =>
    network.dial(String(host), Number(port));
  secureAgent.createConnection = ({ host, port, servername }: TlsRequestArgs) =>
    tlsConnect({
      socket: network.dial(String(host), Number(port)),
      host: String(host),
      ...(servername === undefined ? {} : { servername }),
      ALPNProtocols: ['http/1.1'],
    });

  const open = async (
    url: URL,
    request: IncomingMessage,
    job: ProxyJob,
  ): Promise<ClientRequest> => {
    const host = hostOf(url);
    const address = await admitEgress(host, portOf(url), job, network);
    const options: RequestOptions = {
      host: address,
      port: portOf(url),
      method: request.method,
      path: url.pathname + url.search,
      headers: [...endToEndHeaders(request.rawHeaders), 'Host', url.host],
      setHost: false,
    };
    if (url.protocol === 'http:') return httpRequest({ ...options, agent: plainAgent });
    return httpsRequest({ ...options, agent: secureAgent, servername: isIP(host) ? '' : host });
  };

  return {
    async forward(url, request, response, job) {
      const outgoing = await open(url, request, job);
      // The page or the proxy may have aborted the request while the name was resolved.
      if (response.destroyed || response.headersSent) {
        outgoing.on('error', () => undefined).destroy();
        return;
      }
      outgoing.on('error', (error) => answerBadGateway(url, error, response, job));
      outgoing.on('response', (answer) => {
        if (response.headersSent) return void outgoing.destroy();
        const { location } = answer.headers;
        if (location !== undefined) job.address.addRedirect(url, location);
        response.writeHead(
          answer.statusCode ?? 502,
          answer.statusMessage,
          endToEndHeaders(answer.rawHeaders),
        );
        pipeline(answer, response, () => {});
      });
      response.on('close', () => outgoing.destroy());
      request.pipe(outgoing);
    },

    async tunnel(host, port, client, head, job) {
      const address = await admitEgress(host, port, job, network);
      const socket = network.dial(address, port);
      socket.on('error', (error) =>
        job.connectionErrors.set(hostAndPort(host, port), describeError(error)),
      );
      socket.once('connect', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
      pipeBoth(client, socket, head);
    },

    async upgrade(url, request, client, head, job) {
      const host = hostOf(url);
      const address = await admitEgress(host, portOf(url), job, network);
      const socket = tlsConnect({
        socket: network.dial(address, portOf(url)),
        servername: isIP(host) ? '' : host,
        host,
      });
      socket.once('secureConnect', () => socket.write(handshakeText(request)));
      pipeBoth(client, socket, head);
    },

    close() {
      plainAgent.destroy();
      secureAgent.destroy();
    },
  };
}

function answerBadGateway(url: URL, error: Error, response: ServerResponse, job: ProxyJob): void {
  job.connectionErrors.set(hostAndPort(hostOf(url), portOf(url)), describeError(error));
  if (response.headersSent) response.destroy();
  else response.writeHead(502, { 'content-length': 0 }).end();
}

/** Pipes both directions until one side ends. */
function pipeBoth(client: Duplex, socket: Socket, head: Buffer): void {
  if (head.length > 0) socket.write(head);
  pipeline(client, socket, () => client.destroy());
  pipeline(socket, client, () => socket.destroy());
}

function endToEndHeaders(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lowerName = name.toLowerCase();
    if (hopByHop.has(lowerName) || lowerName === 'host') continue;
    kept.push(name, rawHeaders[index + 1] ?? '');
  }
  return kept;
}

function handshakeText(request: IncomingMessage): string {
  const lines = [`${request.method} ${request.url} HTTP/1.1`];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2)
    lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Names only the code of a system or TLS error, because its text may contain internal addresses. */
function describeError(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'no answer';
  return `The connection failed: ${code}.`;
}
