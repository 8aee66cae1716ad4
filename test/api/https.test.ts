import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { makeCertificate } from '../support/certificate.ts';
import { type Service, startService } from '../support/service.ts';

describe('a service with a certificate of its own', function () {
  this.timeout(60_000);
  let folder: string;
  let service: Service;
  let certificate: Awaited<ReturnType<typeof makeCertificate>>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'https-test-'));
    certificate = await makeCertificate(['localhost']);
    const env = { TLS_CERT: join(folder, 'crt.pem'), TLS_KEY: join(folder, 'key.pem') };
    await writeFile(env.TLS_CERT, certificate.cert);
    await writeFile(env.TLS_KEY, certificate.key, { mode: 0o600 });
    service = await startService({ workers: 0, env });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /** Sends a request over TLS that trusts only `ca`. */
  const ask = async (authorization: string, ca: string) => {
    const { promise, resolve, reject } =
      Promise.withResolvers<import('node:http').IncomingMessage>();
    const headers = { authorization };
    const options = { headers, ca, servername: 'localhost' };
    request(`${service.baseUrl}/deploys`, options, resolve).on('error', reject).end();
    const response = await promise;
    return { status: response.statusCode, body: JSON.parse(await text(response)) };
  };

  it('answers over https to clients that trust the certificate', async () => {
    expect(service.baseUrl).to.match(/^https:/);
    const { apiKey } = await service.createWorkspace();
    const { status, body } = await ask(`Bearer ${apiKey}`, certificate.cert);
    expect(status, JSON.stringify(body)).to.equal(200);
    const other = await makeCertificate(['localhost']);
    const refused = await ask(`Bearer ${apiKey}`, other.cert).catch((error: unknown) => error);
    expect(refused)
      .to.have.property('code')
      .that.matches(/CERT|SIGNATURE/);
  });

  it('does not answer over plain http', async () => {
    const plain = service.baseUrl.replace(/^https/, 'http');
    const answer = await fetch(`${plain}/deploys`).catch((error: unknown) => error);
    expect(answer).to.be.instanceOf(TypeError);
  });
});
