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
  describeForEngines,
  faultOf,
  page,
  print,
  requestOf,
  script,
  startRenderer,
  warningsOf,
} from './renderer-fixture.ts';

describe('the decision on an outgoing connection', () => {
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
      it(`${address || 'nothing'} is ${verdict}`, () => {
        expect(isPublicAddress(address)).to.equal(verdict === 'public');
      });

  const rules = { egressAllow: [], allowExternalNetwork: true, documentHosts: new Set<string>() };
  const ask = (addressesOf: string[], more: object = {}) =>
    decideEgress(
      { host: 'site.example', port: 443, addresses: addressesOf },
      { ...rules, ...more },
    );

  it('refuses a name as soon as one of its addresses is private', () => {
    expect(ask(['1.1.1.1'])).to.deep.equal({ allowed: true, address: '1.1.1.1' });
    expect(ask(['1.1.1.1', '10.0.0.1']).allowed).to.equal(false);
    expect(ask([]).allowed).to.equal(false);
  });

  it('lets the operator allow a private name or address, on that port only', () => {
    for (const entry of ['site.example:443', '10.0.0.1:443'])
      expect(ask(['10.0.0.1'], { egressAllow: [entry] }).allowed).to.equal(true);
    for (const entry of ['site.example:80', '10.0.0.2:443', 'other.example:443'])
      expect(ask(['10.0.0.1'], { egressAllow: [entry] }).allowed).to.equal(false);
  });

  it('refuses everything but the document on a plan without network, also what the operator allows', () => {
    const poor = { allowExternalNetwork: false };
    expect(ask(['1.1.1.1'], poor).allowed).to.equal(false);
    expect(ask(['10.0.0.1'], { ...poor, egressAllow: ['site.example:443'] }).allowed).to.equal(
      false,
    );
    expect(
      ask(['1.1.1.1'], { ...poor, documentHosts: new Set(['site.example:443']) }).allowed,
    ).to.equal(true);
  });
});

/** A web site on loopback that remembers what it was asked. */
async function startSite(answer: RequestListener, tls?: { key: string; cert: string }) {
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(`${request.headers.host} ${request.url}`);
    answer(request, response);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.on('upgrade', (request, socket) => {
    asked.push(`upgrade ${request.url}`);
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const html =
  (body: string): RequestListener =>
  (_, response) => {
    response.setHeader('content-type', 'text/html').end(body);
  };

const readsPayload = script(`window.renderReady = (async () => {
  console.error(await (await fetch('/__payload')).text()); })()`);

const payload = { mime: 'application/json', bytes: Buffer.from('{"secret":1}') };
const online = { allowExternalNetwork: true, payload };
const url = (targetUrl: string) => ({ type: 'url', targetUrl }) as const;

describeForEngines('printing a URL', function () {
  this.timeout(30_000);

  it('gives the document its payload on its own origin, and never forwards that request', async () => {
    await using site = await startSite(html(readsPayload));
    await using renderer = await startRenderer({ egressAllow: [`127.0.0.1:${site.port}`] });
    const printed = await print(renderer, url(`http://127.0.0.1:${site.port}/a?b=1`), online);
    expect(consoleErrors(printed)).to.deep.equal(['{"secret":1}']);
    expect(site.asked).to.deep.equal([`127.0.0.1:${site.port} /a?b=1`]);
  });

  it('does not give the payload to another origin that the document uses', async () => {
    await using other = await startSite((_, response) => {
      response.setHeader('access-control-allow-origin', '*').end('its own');
    });
    const source = `window.renderReady = (async () => {
      console.error(await (await fetch('http://127.0.0.1:${other.port}/__payload')).text()); })()`;
    await using site = await startSite(html(script(source)));
    const egressAllow = [`127.0.0.1:${site.port}`, `127.0.0.1:${other.port}`];
    await using renderer = await startRenderer({ egressAllow });
    const printed = await print(renderer, url(`http://127.0.0.1:${site.port}/`), online);
    expect(consoleErrors(printed)).to.deep.equal(['its own']);
  });

  it('follows redirects, but not to a refused address, and keeps its links', async () => {
    await using site = await startSite((request, response) => {
      if (request.url === '/good') response.writeHead(302, { location: '/end' }).end();
      else if (request.url === '/bad')
        response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
      else html(page('<a href="/other">there</a>'))(request, response);
    });
    const origin = `http://127.0.0.1:${site.port}`;
    await using renderer = await startRenderer({ egressAllow: [`127.0.0.1:${site.port}`] });
    expect((await print(renderer, url(`${origin}/good`), online)).text).to.include(
      `/URI (${origin}/other)`,
    );
    const events: string[] = [];
    const fault = await faultOf(
      print(renderer, url(`${origin}/bad`), {
        ...online,
        onEvent: ({ code }) => void events.push(code ?? ''),
      }),
    );
    expect(fault.code).to.equal('render_failed');
    expect(fault.message).to.match(/redirects to 10\.0\.0\.1:80.*not publicly routable/);
    expect(events).to.include('egress_denied');
  });

  describe('that redirects', () => {
    const names = ['shop.example', 'www.shop.example', 'other.example', 'evil-shop.example'];
    /** Sites of those names on loopback, by the scheme that they are asked by. */
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
        asked: () => [...plain.asked, ...secure.asked],
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
        else html(readsPayload)(request, response);
      };

    const homes: [what: string, target: string, chain: Record<string, string>][] = [
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
    for (const [what, target, chain] of homes)
      it(`gives the document its payload where it is then: ${what}`, async () => {
        await using sites = await startSites(redirecting(chain));
        await using renderer = await startRenderer({ network: sites.network });
        // A plan without network reaches the document, also there.
        const printed = await print(renderer, url(target), { payload });
        expect(consoleErrors(printed)).to.deep.equal(['{"secret":1}']);
        expect(sites.asked().join()).not.to.include('__payload');
      });

    const elsewhere: [what: string, target: string, to: string][] = [
      ['to another site', 'http://shop.example/', 'http://other.example/'],
      ['to a site whose name only ends alike', 'http://shop.example/', 'http://evil-shop.example/'],
      ['from https to http', 'https://shop.example/', 'http://shop.example/'],
      ['to another port', 'http://shop.example/', 'http://shop.example:8080/'],
    ];
    for (const [what, target, to] of elsewhere)
      it(`does not give the payload away, and says so: ${what}`, async () => {
        await using sites = await startSites(redirecting({ [target]: to }));
        await using renderer = await startRenderer({ network: sites.network });
        const printed = await print(renderer, url(target), online);
        expect(consoleErrors(printed)).to.deep.equal(['its own']);
        expect(warningsOf(printed.events, 'payload_unavailable').join()).to.include(
          new URL(to).origin,
        );
      });

    it('gives the payload to no other site that redirects to the document or its like', async () => {
      const source = script(`window.renderReady = (async () => {
        for (const to of ['http://other.example/go', 'http://www.shop.example/__payload'])
          await fetch(to, { mode: 'no-cors' }); })()`);
      await using sites = await startSites((request, response) => {
        if (request.url === '/go')
          response.writeHead(301, { location: 'http://www.shop.example/' }).end();
        else html(source)(request, response);
      });
      await using renderer = await startRenderer({ network: sites.network });
      await print(renderer, url('http://shop.example/'), online);
      expect(sites.asked()).to.include('www.shop.example /__payload');
    });
  });
});

describeForEngines('the one door', function () {
  this.timeout(30_000);

  it('resolves each name once for each connection, and dials only the address that it checked', async () => {
    await using site = await startSite((_, response) => {
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end('ok');
    });
    const dialled: string[] = [];
    const resolved: string[] = [];
    const network: Network = {
      // Public at first, loopback the next time.
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
    const { events } = await print(renderer, script(source), online);
    expect(resolved).to.deep.equal(['rebind.example', 'rebind.example']);
    expect(dialled).to.deep.equal(['93.184.216.34']);
    expect(site.asked).to.deep.equal(['rebind.example /1']);
    expect(events.map(({ code }) => code)).to.include('egress_denied');
  });

  it('does not even ask the resolver on a plan without network', async () => {
    const network: Network = {
      resolve: () => Promise.reject(new Error('asked')),
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

  it('shows no job the document or payload of another', async () => {
    await using renderer = await startRenderer();
    const hold = new AbortController();
    const begun = Promise.withResolvers<void>();
    const held = renderer
      .print(
        {
          ...requestOf(
            script(`console.error('begun'); window.renderReady = new Promise(() => {})`),
          ),
          jobId: 'job_01other',
          payload,
          signal: hold.signal,
          onEvent: () => begun.resolve(),
        },
        async () => undefined,
      )
      .catch((error) => error);
    await begun.promise;
    const source = `window.renderReady = (async () => { for (const path of ['index.html', '__payload'])
      console.error(await fetch('http://job_01other.localhost/' + path, { mode: 'no-cors' }).then(() => 'answered', () => 'failed')); })()`;
    const { events } = await print(renderer, script(source), online);
    expect(events.map(({ message }) => message).join()).to.include(
      'job_01other.localhost:80 may not be reached',
    );
    hold.abort(new Error('enough'));
    await held;
  });
});
