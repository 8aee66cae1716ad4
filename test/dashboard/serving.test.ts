import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import { mountDashboard } from '../../api/dashboard.ts';
import { useDashboard } from './dashboard-fixture.ts';

describe('the files of the dashboard', function () {
  this.timeout(60_000);
  const dashboard = useDashboard();
  const get = (path: string) => fetch(`${dashboard().admin.origin}/dashboard${path}`);
  const findScript = async () => {
    const [, script = ''] =
      /src="\/dashboard(\/assets\/[^"]+\.js)"/.exec(await (await get('/')).text()) ?? [];
    return script;
  };
  const policyOf = (answer: Response) => answer.headers.get('Content-Security-Policy') ?? '';

  it('are one page at every address, never cached, with a new nonce each time', async () => {
    const answers = await Promise.all(['', '/', '/ws_1/jobs?status=failed', '/a/b.c'].map(get));
    const nonces = new Set<string>();
    for (const answer of answers) {
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('Cache-Control')).to.equal('no-store');
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(policyOf(answer)) ?? [];
      expect(await answer.text()).to.include(`<meta property="csp-nonce" nonce="${nonce}"`);
      nonces.add(nonce);
    }
    expect(nonces.size).to.equal(answers.length);
  });

  it('are where a browser is sent from the root of the service; other clients get a 404', async () => {
    const { origin } = dashboard().admin;
    const getRoot = (accept: string) =>
      fetch(`${origin}/`, { headers: { Accept: accept }, redirect: 'manual' });
    const browser = await getRoot(
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    );
    expect(browser.status).to.equal(302);
    expect(browser.headers.get('Location')).to.equal('/dashboard');
    for (const accept of ['*/*', 'application/json']) {
      const other = await getRoot(accept);
      expect(other.status).to.equal(404);
      expect(await other.json()).to.include({ error: 'not_found' });
    }
  });

  it('allow only their own scripts, and only styles with the nonce', async () => {
    const policy = policyOf(await get('/'));
    expect(policy).to.include("script-src 'self';").and.to.include("default-src 'none';");
    expect(policy).not.to.include('unsafe');
  });

  it('are cached for a year if their names contain a hash, and revalidated otherwise', async () => {
    const script = await findScript();
    const cacheOf = async (path: string) => (await get(path)).headers.get('Cache-Control');
    expect(await cacheOf(script)).to.equal('public, max-age=31536000, immutable');
    expect(await cacheOf('/icon.svg')).to.equal('public, max-age=0');
    expect((await get('/assets/gone-12345678.js')).status).to.equal(404);
  });

  it('are compressed, as is the API reference, but not answers of the API', async () => {
    const { origin, service } = dashboard().admin;
    const read = (url: string, encoding: string) =>
      fetch(url, { headers: { 'Accept-Encoding': encoding } });
    const encodingOf = async (url: string, encoding = 'gzip, br') =>
      (await read(url, encoding)).headers.get('Content-Encoding');
    const script = `${origin}/dashboard${await findScript()}`;
    expect(await encodingOf(script)).to.equal('br');
    expect(await encodingOf(`${origin}/docs/swagger-ui-bundle.js`)).to.equal('br');
    expect(await encodingOf(`${service.baseUrl}/openapi.json`)).to.equal(null);
    expect(await encodingOf(script, 'identity')).to.equal(null);
    const plain = await read(script, 'identity');
    expect(await (await read(script, 'br')).text()).to.equal(await plain.text());
  });

  it('are replaced by a message that says how to build them if they are not built', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-dashboard-'));
    const app = express();
    mountDashboard(app, {}, folder);
    const server = app.listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const answer = await fetch(`http://127.0.0.1:${port}/dashboard/`);
      expect(answer.status).to.equal(503);
      expect(await answer.text()).to.include('npm run dashboard');
    } finally {
      server.close();
      await rm(folder, { recursive: true });
    }
  });
});
