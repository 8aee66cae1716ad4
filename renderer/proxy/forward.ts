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
import { admitEgress } from './egress.ts';
import type { ProxyJob } from './proxy-job.ts';

/** Connections to the outside, kept open between the requests of one browser. */
export interface Upstream {
  /** Forwards a request, its answer streamed back. */
  forward(
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
    job: ProxyJob,
  ): Promise<void>;
  /** Connects a `CONNECT` through to its target. */
  tunnel(host: string, port: number, client: Duplex, head: Buffer, job: ProxyJob): Promise<void>;
  /** Forwards the handshake of a WebSocket inside a TLS connection that the proxy terminated. */
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

/** Headers that belong to one connection (RFC 9110 7.6.1), and those of proxies. */
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

export function createUpstream(network: Network): Upstream {
  const plainAgent = new HttpAgent({ keepAlive: true });
  const secureAgent = new HttpsAgent({ keepAlive: true });
  // The agents key their sockets by address, not by name: a socket is only reused for an address that was just checked.
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
      // The page, or the end of its wait, may have ended the request while the name was resolved.
      if (response.destroyed || response.headersSent) {
        outgoing.on('error', () => undefined).destroy();
        return;
      }
      outgoing.on('error', (error) => fail(url, error, response, job));
      outgoing.on('response', (answer) => {
        if (response.headersSent) return void outgoing.destroy();
        const { location } = answer.headers;
        if (location !== undefined) job.address.redirected(url, location);
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
      socket.on('error', (error) => job.faults.set(hostAndPort(host, port), describe(error)));
      socket.once('connect', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
      join(client, socket, head);
    },

    async upgrade(url, request, client, head, job) {
      const host = hostOf(url);
      const address = await admitEgress(host, portOf(url), job, network);
      const socket = tlsConnect({
        socket: network.dial(address, portOf(url)),
        servername: isIP(host) ? '' : host,
        host,
      });
      socket.once('secureConnect', () => socket.write(handshake(request)));
      join(client, socket, head);
    },

    close() {
      plainAgent.destroy();
      secureAgent.destroy();
    },
  };
}

function fail(url: URL, error: Error, response: ServerResponse, job: ProxyJob): void {
  job.faults.set(hostAndPort(hostOf(url), portOf(url)), describe(error));
  if (response.headersSent) response.destroy();
  else response.writeHead(502, { 'content-length': 0 }).end();
}

/** Both directions until either side ends. */
function join(client: Duplex, socket: Socket, head: Buffer): void {
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

function handshake(request: IncomingMessage): string {
  const lines = [`${request.method} ${request.url} HTTP/1.1`];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2)
    lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The code of a system or TLS error; its text may hold addresses of ours. */
function describe(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'no answer';
  return `The connection failed: ${code}.`;
}
