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
  /** `host:port` that may be reached although it is private, and by plain HTTP. */
  readonly egressAllow: readonly string[];
  /** For everything together: resolving, connecting, sending, and the answer. */
  readonly timeoutMs: number;
  /** What is read of the answer; the rest is not waited for. */
  readonly maxAnswerBytes: number;
  readonly network: Network;
}

export interface PostAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The request was not sent, or not answered; its message names no address of ours. */
export class PostFailed extends Error {
  override readonly name = 'PostFailed';
}

/**
 * Sends one POST to a stranger. It goes to the address that was checked and no other; TLS proves the host's name; redirects
 * are not followed.
 *
 * @throws PostFailed
 */
export async function post(
  url: URL,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  options: PostOptions,
): Promise<PostAnswer> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  try {
    const address = await Promise.race([admit(url, options), rejectedBy(signal)]);
    const bytes = Buffer.from(message.body);
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      // Without an agent Node takes 80 for the default port, also of https, and would say so.
      headers: { ...message.headers, host: url.host, 'content-length': bytes.length },
      signal,
      createConnection: connectTo(url, address, options.network),
    });
    // Aborted after its answer has begun, it says so a second time; the answer's own error is the one that counts.
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
      throw new PostFailed(`There was no whole answer within ${options.timeoutMs / 1_000} s.`);
    throw error instanceof PostFailed ? error : new PostFailed(describe(error));
  }
}

async function admit(url: URL, { egressAllow, network }: PostOptions): Promise<string> {
  const [host, port] = [hostOf(url), portOf(url)];
  if (url.protocol !== 'https:' && !egressAllow.includes(hostAndPort(host, port)))
    throw new PostFailed('It was not sent: the URL is not https.');
  const rules = { egressAllow, allowExternalNetwork: true, documentHosts: new Set<string>() };
  const decision = await resolveEgress(host, port, rules, network);
  if (decision.allowed) return decision.address;
  throw new PostFailed(`It was not sent: ${decision.reason}.`);
}

/** Dials the checked address. The certificate has to be the host's, whatever the address. */
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

/** Reads so much and lets go of the connection. */
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

/** The code of a system or TLS error; its text may hold addresses of ours. */
function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
  return `The connection failed: ${code}.`;
}
