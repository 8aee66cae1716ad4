import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'chai';
import { type Network, systemNetwork } from '../../network/network.ts';
import { PostFailed, type PostOptions, post } from '../../network/post.ts';
import { makeCertificate } from '../support/certificate.ts';

const message = { headers: { 'content-type': 'application/json' }, body: '{"ü":1}' };

describe('a POST to a stranger', () => {
  const options = (change: Partial<PostOptions> = {}): PostOptions => ({
    egressAllow: [],
    timeoutMs: 5_000,
    maxAnswerBytes: 1_024,
    network: systemNetwork,
    ...change,
  });

  /** Resolves every name to what it says, and dials none of it but that server on loopback. */
  const network = (resolved: readonly string[][], port: number) => {
    const dialled: string[] = [];
    const answers = [...resolved];
    const fake: Network = {
      resolve: async () => answers.shift() ?? [],
      dial(address) {
        dialled.push(address);
        return systemNetwork.dial('127.0.0.1', port);
      },
    };
    return { fake, dialled };
  };

  const failureOf = async (sent: Promise<unknown>): Promise<string> => {
    const error: unknown = await sent.catch((cause: unknown) => cause);
    expect(error).to.be.instanceOf(PostFailed);
    return (error as Error).message;
  };

  it('goes to the address that was checked, once resolved, with the name that TLS proves', async () => {
    const tls = await makeCertificate(['hooks.example']);
    await using server = await startTlsServer(tls);
    const { fake, dialled } = network(
      [['93.184.216.34'], ['127.0.0.1'], ['93.184.216.34'], ['93.184.216.34']],
      server.port,
    );
    const with_ = options({ network: fake });
    const url = new URL('https://hooks.example/in?a=b');
    expect(await failureOf(post(url, message, with_))).to.match(/SELF_SIGNED|UNABLE_TO_VERIFY/);
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, tls.cert]);
    try {
      expect(await failureOf(post(url, message, with_)), 'rebound').to.include('not publicly');
      const { status, headers, body } = await post(url, message, with_);
      expect(status).to.equal(200);
      expect(headers['x-host']).to.equal('hooks.example');
      expect(body.toString()).to.equal('POST /in?a=b {"ü":1}');
      const other = new URL('https://other.example/');
      expect(await failureOf(post(other, message, with_))).to.include('ALTNAME');
    } finally {
      setDefaultCACertificates(before);
    }
    expect(new Set(dialled)).to.eql(new Set(['93.184.216.34']));
  });

  const refused: Record<string, string> = {
    'a private address': 'https://10.0.0.1/',
    'loopback by another name': 'https://2130706433/',
    'IPv4 inside IPv6': 'https://[::ffff:7f00:1]/',
    'the metadata service': 'https://169.254.169.254/latest',
    'plain HTTP': 'http://93.184.216.34/',
  };
  for (const [what, url] of Object.entries(refused))
    it(`is not sent to ${what}, which is not dialled`, async () => {
      const { fake, dialled } = network([], 0);
      const failure = await failureOf(post(new URL(url), message, options({ network: fake })));
      expect(failure).to.match(/^It was not sent: /);
      expect(dialled).to.eql([]);
    });

  it('does not wait for a name that never resolves', async () => {
    const fake: Network = { resolve: () => new Promise(() => {}), dial: systemNetwork.dial };
    const url = new URL('https://slow.example/');
    const failure = await failureOf(post(url, message, options({ network: fake, timeoutMs: 100 })));
    expect(failure).to.equal('No complete answer arrived within 0.1 s.');
  });
});

async function startTlsServer(tls: { key: string; cert: string }) {
  const server = createServer(tls, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.setHeader('x-host', String(request.headers.host));
    response.end(`${request.method} ${request.url} ${Buffer.concat(chunks)}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
