import { once } from 'node:events';
import { type ClientRequestArgs, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { hostAndPort } from './egress-policy.ts';
import { type Network, resolveEgress } from './network.ts';
import { hostOf, portOf } from './url-target.ts';

export interface PostOptions {
  /** Each `host:port` that may be reached although its address is private, also by plain HTTP. */
  readonly egressAllow: readonly string[];
  /** Time limit for everything together: resolving, connecting, sending, and reading the answer. */
  readonly timeoutMs: number;
  /** The most bytes of the answer's body that are read. The rest is not waited for. */
  readonly maxAnswerBytes: number;
  readonly network: Network;
}

export interface PostAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The request was not sent, or not answered completely. The message contains no internal address. */
export class PostFailed extends Error {
  override readonly name = 'PostFailed';
}

/**
 * Sends one POST to a server of a customer. It is sent only to the address that was checked. TLS verifies the host name. Redirects
 * are not followed.
 *
 * @throws PostFailed when the address is refused, the connection fails, or the time limit passes
 */
export async function post(
  url: URL,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  options: PostOptions,
): Promise<PostAnswer> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  try {
    const address = await Promise.race([findAllowedAddress(url, options), rejectedBy(signal)]);
    const bytes = Buffer.from(message.body);
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      // Without an agent Node assumes the default port 80, also for https, and would add `:443` to this header.
      headers: { ...message.headers, host: url.host, 'content-length': bytes.length },
      signal,
      createConnection: connectTo(url, address, options.network),
    });
    // If the request is aborted after the answer has begun, both emit an error. The error of the answer is handled below.
    outgoing.on('error', () => {});
    outgoing.end(bytes);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    return {
      status: answer.statusCode ?? 0,
      headers: headersOf(answer),
      body: await readUpTo(answer, options.maxAnswerBytes),
    };
  } catch (error) {
    if (signal.aborted)
      throw new PostFailed(`No complete answer arrived within ${options.timeoutMs / 1_000} s.`);
    throw error instanceof PostFailed ? error : new PostFailed(describeError(error));
  }
}

/** Resolves the host and returns the address to dial. Throws PostFailed when the egress policy refuses it. */
async function findAllowedAddress(
  url: URL,
  { egressAllow, network }: PostOptions,
): Promise<string> {
  const [host, port] = [hostOf(url), portOf(url)];
  if (url.protocol !== 'https:' && !egressAllow.includes(hostAndPort(host, port)))
    throw new PostFailed('It was not sent: the URL is not https.');
  const rules = { egressAllow, allowExternalNetwork: true, documentHosts: new Set<string>() };
  const decision = await resolveEgress(host, port, rules, network);
  if (decision.allowed) return decision.address;
  throw new PostFailed(`It was not sent: ${decision.reason}.`);
}

/** Dials the checked address. The certificate must be that of the host name. */
const connectTo =
  (url: URL, address: string, network: Network) =>
  (_: ClientRequestArgs): Duplex => {
    const socket = network.dial(address, portOf(url));
    if (url.protocol === 'http:') return socket;
    const host = hostOf(url);
    return tlsConnect({
      socket,
      host,
      servername: isIP(host) ? '' : host,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    });
  };

/** Reads up to `limit` bytes, then closes the connection. */
async function readUpTo(answer: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const rejectedBy = (signal: AbortSignal): Promise<never> =>
  once(signal, 'abort').then(() => Promise.reject(signal.reason));

/** Names only the code of a system or TLS error, because its text may contain internal addresses. */
function describeError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
  return `The connection failed: ${code}.`;
}
