import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'chai';
import { decideEgress, isPublicAddress } from '../../network/egress-policy.ts';
import type { Network } from '../../network/network.ts';
import { makeCertificate } from '../support/certificate.ts';
import {
  consoleErrors,
  createPrintRequest,
  describeForEngines,
  page,
  print,
  renderErrorOf,
  script,
  startRenderer,
  warningsOf,
} from './renderer-fixture.ts';

describe('deciding about an outgoing connection', () => {
  const addresses: Record<'public' | 'refused', string[]> = {
    public: [
      '1.1.1.1',
      '93.184.216.34',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '2a00:1450:4001:80b::200e',
    ],
    refused: [
      '127.0.0.1',
      '127.255.0.9',
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '192.0.0.170',
      '192.0.2.1',
      '192.88.99.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '168.63.129.16',
      '::',
      '::1',
      '::ffff:8.8.8.8',
      '::ffff:127.0.0.1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '2001::1',
      '2001:db8::1',
      '3fff::1',
      '5f00::1',
      'fc00::1',
      'fd12::1',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      '2606:4700::5efe:10.0.0.1',
      '100::1',
      'localhost',
      '',
    ],
  };
  for (const [verdict, list] of Object.entries(addresses))
    for (const address of list)
      it(`${address || 'an empty address'} is ${verdict}`, () => {
        expect(isPublicAddress(address)).to.equal(verdict === 'public');
      });

  const rules = { egressAllow: [], allowExternalNetwork: true, documentHosts: new Set<string>() };
  const decide = (resolved: string[], more: object = {}) =>
    decideEgress({ host: 'site.example', port: 443, addresses: resolved }, { ...rules, ...more });

  it('refuses a name as soon as one of its addresses is private', () => {
    expect(decide(['1.1.1.1'])).to.deep.equal({ allowed: true, address: '1.1.1.1' });
    expect(decide(['1.1.1.1', '10.0.0.1']).allowed).to.equal(false);
    expect(decide([]).allowed).to.equal(false);
  });

  it('lets the operator allow a private name or address, on that port only', () => {
    for (const entry of ['site.example:443', '10.0.0.1:443'])
      expect(decide(['10.0.0.1'], { egressAllow: [entry] }).allowed).to.equal(true);
    for (const entry of ['site.example:80', '10.0.0.2:443', 'other.example:443'])
      expect(decide(['10.0.0.1'], { egressAllow: [entry] }).allowed).to.equal(false);
  });

  it('refuses everything except the document on a plan without network, also hosts that the operator allows', () => {
    const withoutNetwork = { allowExternalNetwork: false };
    expect(decide(['1.1.1.1'], withoutNetwork).allowed).to.equal(false);
    expect(
      decide(['10.0.0.1'], { ...withoutNetwork, egressAllow: ['site.example:443'] }).allowed,
    ).to.equal(false);
    expect(
      decide(['1.1.1.1'], { ...withoutNetwork, documentHosts: new Set(['site.example:443']) })
        .allowed,
    ).to.equal(true);
  });
});

/** Starts a web server on loopback that records the requests to it. */
async function startSite(answer: RequestListener, tls?: { key: string; cert: string }) {
  const requests: string[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    answer(request, response);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.on('upgrade', (request, socket) => {
    requests.push(`upgrade ${request.url}`);
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers each request with this HTML. */
const answerHtml =
  (body: string): RequestListener =>
  (_, response) => {
    response.setHeader('content-type', 'text/html').end(body);
  };

/** A document that writes its payload to the console. */
const readsPayload = script(`window.renderReady = (async () => {
  console.error(await (await fetch('/__payload')).text()); })()`);

const payload = { mime: 'application/json', bytes: Buffer.from('{"secret":1}') };
/** A plan with external network, and a payload. */
const withNetwork = { allowExternalNetwork: true, payload };
const urlDeploy = (targetUrl: string) => ({ type: 'url', targetUrl }) as const;

describeForEngines('printing a URL', function () {
  this.timeout(30_000);

  it('answers /__payload on the origin of the document, and never forwards the request to the site', async () => {
    await using site = await startSite(answerHtml(readsPayload));
    await using renderer = await startRenderer({ egressAllow: [`127.0.0.1:${site.port}`] });
    const printed = await print(
      renderer,
      urlDeploy(`http://127.0.0.1:${site.port}/a?b=1`),
      withNetwork,
    );
    expect(consoleErrors(printed)).to.deep.equal(['{"secret":1}']);
    expect(site.requests).to.deep.equal([`127.0.0.1:${site.port} /a?b=1`]);
  });

  it('does not answer /__payload on another origin that the document uses', async () => {
    await using other = await startSite((_, response) => {
      response.setHeader('access-control-allow-origin', '*').end('its own');
    });
    const source = `window.renderReady = (async () => {
      console.error(await (await fetch('http://127.0.0.1:${other.port}/__payload')).text()); })()`;
    await using site = await startSite(answerHtml(script(source)));
    const egressAllow = [`127.0.0.1:${site.port}`, `127.0.0.1:${other.port}`];
    await using renderer = await startRenderer({ egressAllow });
    const printed = await print(renderer, urlDeploy(`http://127.0.0.1:${site.port}/`), withNetwork);
    expect(consoleErrors(printed)).to.deep.equal(['its own']);
  });

  it('follows redirects, but not to a refused address, and keeps the links of the document', async () => {
    await using site = await startSite((request, response) => {
      if (request.url === '/good') response.writeHead(302, { location: '/end' }).end();
      else if (request.url === '/bad')
        response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
      else answerHtml(page('<a href="/other">there</a>'))(request, response);
    });
    const origin = `http://127.0.0.1:${site.port}`;
    await using renderer = await startRenderer({ egressAllow: [`127.0.0.1:${site.port}`] });
    expect((await print(renderer, urlDeploy(`${origin}/good`), withNetwork)).text).to.include(
      `/URI (${origin}/other)`,
    );
    const events: string[] = [];
    const error = await renderErrorOf(
      print(renderer, urlDeploy(`${origin}/bad`), {
        ...withNetwork,
        onEvent: ({ code }) => void events.push(code ?? ''),
      }),
    );
    expect(error.code).to.equal('render_failed');
    expect(error.message).to.match(/redirects to 10\.0\.0\.1:80.*not publicly routable/);
    expect(events).to.include('egress_denied');
  });

  describe('that redirects', () => {
    const names = ['shop.example', 'www.shop.example', 'other.example', 'evil-shop.example'];
    /** Starts an http and an https server on loopback that answer for these names. */
    const startSites = async (answer: RequestListener) => {
      const tls = await makeCertificate(names);
      const plain = await startSite(answer);
      const secure = await startSite(answer, tls);
      const trusted = getCACertificates('default');
      setDefaultCACertificates([...trusted, tls.cert]);
      const network: Network = {
        resolve: async () => ['93.184.216.34'],
        dial: (_, port) => connect(port === 443 ? secure.port : plain.port, '127.0.0.1'),
      };
      return {
        network,
        requests: () => [...plain.requests, ...secure.requests],
        async [Symbol.asyncDispose]() {
          setDefaultCACertificates(trusted);
          await plain[Symbol.asyncDispose]();
          await secure[Symbol.asyncDispose]();
        },
      };
    };
    const redirecting =
      (chain: Readonly<Record<string, string>>): RequestListener =>
      (request, response) => {
        const scheme = 'encrypted' in request.socket ? 'https' : 'http';
        const location = chain[`${scheme}://${request.headers.host}${request.url}`];
        if (location) response.writeHead(301, { location }).end();
        else if (request.url === '/__payload') response.end('its own');
        else answerHtml(readsPayload)(request, response);
      };

    const sameSite: [name: string, target: string, chain: Record<string, string>][] = [
      [
        'from http to https',
        'http://shop.example/',
        { 'http://shop.example/': 'https://shop.example/' },
      ],
      [
        'from http to https, then to www',
        'http://shop.example/a?b=1',
        {
          'http://shop.example/a?b=1': 'https://shop.example/a?b=1',
          'https://shop.example/a?b=1': 'https://www.shop.example/c',
        },
      ],
      [
        'from www to the apex',
        'https://www.shop.example/',
        { 'https://www.shop.example/': 'https://shop.example/' },
      ],
      ['on one origin', 'https://shop.example/', { 'https://shop.example/': '/home/' }],
    ];
    for (const [name, target, chain] of sameSite)
      it(`answers /__payload also after a redirect within the site: ${name}`, async () => {
        await using sites = await startSites(redirecting(chain));
        await using renderer = await startRenderer({ network: sites.network });
        // Also on a plan without network, the document is reachable after the redirect.
        const printed = await print(renderer, urlDeploy(target), { payload });
        expect(consoleErrors(printed)).to.deep.equal(['{"secret":1}']);
        expect(sites.requests().join()).not.to.include('__payload');
      });

    const otherSites: [name: string, target: string, to: string][] = [
      ['to another site', 'http://shop.example/', 'http://other.example/'],
      [
        'to a site whose name only has the same ending',
        'http://shop.example/',
        'http://evil-shop.example/',
      ],
      ['from https to http', 'https://shop.example/', 'http://shop.example/'],
      ['to another port', 'http://shop.example/', 'http://shop.example:8080/'],
    ];
    for (const [name, target, to] of otherSites)
      it(`does not answer /__payload after a redirect to another site, and warns: ${name}`, async () => {
        await using sites = await startSites(redirecting({ [target]: to }));
        await using renderer = await startRenderer({ network: sites.network });
        const printed = await print(renderer, urlDeploy(target), withNetwork);
        expect(consoleErrors(printed)).to.deep.equal(['its own']);
        expect(warningsOf(printed.events, 'payload_unavailable').join()).to.include(
          new URL(to).origin,
        );
      });

    it('does not answer /__payload for another site that redirects to the document', async () => {
      const source = script(`window.renderReady = (async () => {
        for (const to of ['http://other.example/go', 'http://www.shop.example/__payload'])
          await fetch(to, { mode: 'no-cors' }); })()`);
      await using sites = await startSites((request, response) => {
        if (request.url === '/go')
          response.writeHead(301, { location: 'http://www.shop.example/' }).end();
        else answerHtml(source)(request, response);
      });
      await using renderer = await startRenderer({ network: sites.network });
      await print(renderer, urlDeploy('http://shop.example/'), withNetwork);
      expect(sites.requests()).to.include('www.shop.example /__payload');
    });
  });
});

describeForEngines('the egress proxy', function () {
  this.timeout(30_000);

  it('resolves a name once for each connection, and dials only the address that it checked', async () => {
    await using site = await startSite((_, response) => {
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end('ok');
    });
    const dialled: string[] = [];
    const resolved: string[] = [];
    const network: Network = {
      // The first answer is public, the next one is loopback.
      resolve: async (host) => {
        resolved.push(host);
        return [resolved.length === 1 ? '93.184.216.34' : '127.0.0.1'];
      },
      dial: (address) => {
        dialled.push(address);
        return connect(site.port, '127.0.0.1');
      },
    };
    await using renderer = await startRenderer({ network });
    const source = `window.renderReady = (async () => { for (const n of [1, 2])
      console.error((await fetch('http://rebind.example/' + n, { mode: 'no-cors' })).type); })()`;
    const { events } = await print(renderer, script(source), withNetwork);
    expect(resolved).to.deep.equal(['rebind.example', 'rebind.example']);
    expect(dialled).to.deep.equal(['93.184.216.34']);
    expect(site.requests).to.deep.equal(['rebind.example /1']);
    expect(events.map(({ code }) => code)).to.include('egress_denied');
  });

  it('does not resolve any name on a plan without network', async () => {
    const network: Network = {
      resolve: () => Promise.reject(new Error('resolved')),
      dial: () => {
        throw new Error('dialled');
      },
    };
    await using renderer = await startRenderer({ network });
    const source = `fetch('http://a.example/').catch(() => 0); fetch('https://b.example/').catch(() => 0)`;
    const { events } = await print(renderer, script(source));
    const denied = events.filter(({ code }) => code === 'egress_denied');
    expect(denied.map(({ message }) => message.split(' ')[0])).to.have.members([
      'a.example:80',
      'b.example:443',
    ]);
    expect(denied.map(({ message }) => message).join()).to.include('plan');
  });

  it('does not show the document or payload of one job to another', async () => {
    await using renderer = await startRenderer();
    const end = new AbortController();
    const started = Promise.withResolvers<void>();
    const otherJob = renderer
      .print(
        {
          ...createPrintRequest(
            script(`console.error('started'); window.renderReady = new Promise(() => {})`),
          ),
          jobId: 'job_01other',
          payload,
          signal: end.signal,
          onEvent: () => started.resolve(),
        },
        async () => undefined,
      )
      .catch((error) => error);
    await started.promise;
    const source = `window.renderReady = (async () => { for (const path of ['index.html', '__payload'])
      console.error(await fetch('http://job_01other.localhost/' + path, { mode: 'no-cors' }).then(() => 'answered', () => 'failed')); })()`;
    const { events } = await print(renderer, script(source), withNetwork);
    expect(events.map(({ message }) => message).join()).to.include(
      'job_01other.localhost:80 cannot be reached',
    );
    end.abort(new Error('The test has ended.'));
    await otherJob;
  });
});
