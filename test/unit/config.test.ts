import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import { ConfigError, loadConfig } from '../../config/config.ts';
import { environmentSchema } from '../../config/environment.ts';
import { defaultPlans } from '../../contracts/plans.ts';

const valid = {
  DATABASE_URL: 'postgres://user:database-password@localhost/service',
  AZURE_STORAGE_CONNECTION_STRING: 'UseDevelopmentStorage=true',
  SECRET_KEY: 'k'.repeat(32),
};

/** The default messages of zod. They do not say what is expected. */
const zodMessages = /Invalid |Too (big|small)|received/;

/** Returns the message of the error that these variables cause. */
function refusalOf(change: NodeJS.ProcessEnv): string {
  try {
    loadConfig({ ...valid, ...change });
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('The configuration was accepted.');
}

describe('configuration', () => {
  it('requires only a database and a secret', () => {
    const config = loadConfig(valid);
    expect(config.http).to.deep.equal({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: undefined,
      tls: undefined,
      trustedProxies: [],
    });
    expect(config.secretKeys).to.deep.equal([valid.SECRET_KEY]);
    expect(config.renderRetryDelaysMs).to.deep.equal([5_000, 20_000]);
    expect(config.plans).to.equal(defaultPlans);
  });

  it('selects the blob storage by the variables that are set', () => {
    const container = { container: 'documents', publicUrl: undefined };
    expect(loadConfig(valid).blobs).to.deep.equal({
      provider: 'azure',
      account: { connectionString: valid.AZURE_STORAGE_CONNECTION_STRING },
      ...container,
    });
    const byName = { ...valid, AZURE_STORAGE_CONNECTION_STRING: '', AZURE_STORAGE_ACCOUNT: 'name' };
    const account = { accountName: 'name' };
    expect(loadConfig(byName).blobs).to.deep.equal({ provider: 'azure', account, ...container });
    const none = { ...valid, AZURE_STORAGE_CONNECTION_STRING: '' };
    expect(loadConfig(none).blobs).to.deep.equal({ provider: 'none' });
  });

  it('is frozen at every level', () => {
    const config = loadConfig(valid);
    for (const part of [config, config.http, config.renderer, config.secretKeys])
      expect(part).to.be.frozen;
  });

  const bad: Record<string, string[]> = {
    PORT: ['-1', '65536', 'http', '80.5', '0x50', ' 80'],
    PUBLIC_URL: ['example.com', 'ftp://example.com'],
    DATABASE_URL: ['mysql://localhost/x', 'localhost:5432'],
    DATABASE_POOL: ['1', '101', 'ten'],
    BLOB_CONTAINER: ['UPPER', 'a', 'a--b', '-ab'],
    BLOB_PUBLIC_URL: ['blob.example.com'],
    TEMPORAL_ADDRESS: ['localhost', 'http://localhost:7233', 'localhost:port'],
    SECRET_KEY: ['short', 'k'.repeat(31), ','.repeat(40), `${'k'.repeat(32)},short`],
    ADMIN_TOKEN: ['short', 't'.repeat(31)],
    TEMPORAL_UI_URL: ['localhost:8233', 'ftp://localhost'],
    OIDC_ISSUER: ['issuer.example'],
    RENDERER_ENGINE: ['puppeteer', 'Playwright'],
    RENDERER_SLOTS: ['0', '257', '1.5'],
    RENDERER_BROWSERS: ['0', '-2'],
    RENDERER_MEMORY_MB: ['127'],
    RENDERER_ALLOW_NO_SANDBOX: ['yes', 'true'],
    RENDER_RETRY_DELAYS: ['5', '5s,', '5 s', '-5s', '5d'],
    WEBHOOK_RETRY_SCHEDULE: ['0', '5s,', 'never'],
    EGRESS_ALLOW: ['localhost', 'localhost:', 'a:1,b'],
    UPLOAD_SESSION_TTL: ['1', '1h30m', 'h'],
    TRANSIENT_OUTPUT_TTL: ['forever'],
    HOST: ['0.0.0.0', '::', '192.0.2.1', '128.0.0.1', 'example.com'],
    TLS_CERT: ['/no/such/file'],
    DISABLED_FEATURES: ['everything'],
    LOG_LEVEL: ['verbose', 'INFO'],
  };
  for (const [name, values] of Object.entries(bad))
    for (const value of values)
      it(`names ${name} when it is ${JSON.stringify(value).slice(0, 40)}`, () => {
        expect(refusalOf({ [name]: value }))
          .to.include(name)
          .and.to.not.match(zodMessages);
      });

  const expectations: [NodeJS.ProcessEnv, string][] = [
    [{ PORT: '65536' }, 'PORT: a whole number from 0 to 65535'],
    [{ PORT: '9'.repeat(30) }, 'PORT: a whole number from 0 to 65535'],
    [{ TRUSTED_PROXIES: 'proxy.internal' }, 'loopback, linklocal, uniquelocal'],
    [
      { DATABASE_URL: 'localhost:5432' },
      'DATABASE_URL: required, a URL that starts with postgres:',
    ],
    [{ DATABASE_URL: undefined }, 'DATABASE_URL: required, a URL that starts with postgres:'],
    [{ SECRET_KEY: undefined }, 'SECRET_KEY: required, a secret of at least 32 characters'],
    [{ RENDERER_ALLOW_NO_SANDBOX: 'yes' }, 'RENDERER_ALLOW_NO_SANDBOX: 0 or 1'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: one of debug, info, warn, error'],
    [{ RENDER_RETRY_DELAYS: '5' }, 'RENDER_RETRY_DELAYS: a duration such as'],
  ];
  for (const [change, expected] of expectations)
    it(`says what is expected: ${expected}`, () => {
      expect(refusalOf(change)).to.include(expected).and.to.not.match(zodMessages);
    });

  it('reports the same error of two entries of a list once', () => {
    expect(refusalOf({ EGRESS_ALLOW: 'a,b' }).split('\n')).to.have.lengthOf(2);
  });

  it('names every wrong variable, not only the first', () => {
    const message = refusalOf({ PORT: 'x', DATABASE_URL: undefined, LOG_LEVEL: 'loud' });
    for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL']) expect(message).to.include(name);
  });

  it('never shows the value of a variable, which may be a secret', () => {
    const values = {
      DATABASE_URL: 'mysql://user:hunter2-in-the-url@localhost',
      SECRET_KEY: 'hunter2-too-short',
      TEMPORAL_ADDRESS: 'hunter2-no-port',
      LOG_LEVEL: 'hunter2-level',
    };
    expect(refusalOf(values)).not.to.include('hunter2');
  });

  it('treats an empty variable as not set', () => {
    expect(loadConfig({ ...valid, PORT: '', PUBLIC_URL: '' }).http.port).to.equal(3000);
    expect(refusalOf({ SECRET_KEY: '' })).to.include('SECRET_KEY');
  });

  const durations: [string, number][] = [
    ['250ms', 250],
    ['5s', 5_000],
    ['1.5m', 90_000],
    ['2h', 7_200_000],
    ['0s', 0],
  ];
  for (const [text, ms] of durations)
    it(`reads ${text} as ${ms} ms`, () => {
      expect(loadConfig({ ...valid, UPLOAD_SESSION_TTL: text }).uploadSessionTtlMs).to.equal(ms);
    });

  it('tries a webhook at once, and nine more times in three days', () => {
    const { webhookRetryScheduleMs } = loadConfig(valid);
    const hours = webhookRetryScheduleMs.map((ms) => ms / 3_600_000);
    expect(hours).to.eql([0, 5 / 3_600, 1 / 12, 0.5, 2, 5, 10, 14, 20, 24]);
  });

  it('reads lists of durations and of addresses, with spaces', () => {
    const config = loadConfig({
      ...valid,
      RENDER_RETRY_DELAYS: '1s, 2m',
      EGRESS_ALLOW: 'localhost:80, [::1]:8080',
    });
    expect(config.renderRetryDelaysMs).to.deep.equal([1_000, 120_000]);
    expect(config.egressAllow).to.deep.equal(['localhost:80', '[::1]:8080']);
  });

  it('accepts two secrets for a rotation, the new one first, and refuses a third', () => {
    const [fresh, old, third] = ['n', 'o', 't'].map((letter) => letter.repeat(32));
    expect(loadConfig({ ...valid, SECRET_KEY: `${fresh},${old}` }).secretKeys).to.deep.equal([
      fresh,
      old,
    ]);
    expect(refusalOf({ SECRET_KEY: `${fresh},${old},${third}` })).to.include('SECRET_KEY');
  });

  const incomplete: [string, NodeJS.ProcessEnv, string][] = [
    ['half a certificate', { TLS_CERT: '/cert.pem' }, 'TLS_KEY'],
    ['half a client certificate', { TEMPORAL_TLS_CERT: '/cert.pem' }, 'TEMPORAL_TLS_KEY'],
    [
      'an identity provider without client',
      { OIDC_ISSUER: 'https://id.example' },
      'OIDC_CLIENT_ID',
    ],
    ['proxies without their address', { TRUSTED_PROXIES: '10.0.0.1' }, 'PUBLIC_URL'],
    [
      'proxies whose address is plain HTTP',
      { TRUSTED_PROXIES: '10.0.0.1', PUBLIC_URL: 'http://documents.example' },
      'PUBLIC_URL',
    ],
    [
      'fewer browsers than slots',
      { RENDERER_SLOTS: '3', RENDERER_BROWSERS: '2' },
      'RENDERER_SLOTS',
    ],
  ];
  for (const [what, change, named] of incomplete)
    it(`refuses ${what}`, () => expect(refusalOf(change)).to.include(named));

  const badProxies = ['proxy.internal', '1', '*', '10.0.0.0/33', '0.0.0.0/0', '::/0', 'loopback,x'];
  for (const TRUSTED_PROXIES of badProxies)
    it(`names TRUSTED_PROXIES when it is ${TRUSTED_PROXIES}`, () => {
      const PUBLIC_URL = 'https://documents.example';
      expect(refusalOf({ TRUSTED_PROXIES, PUBLIC_URL })).to.include('TRUSTED_PROXIES');
    });

  it('accepts the proxies that Express accepts', () => {
    const proxies = ['10.0.0.1', 'fd00::1', '10.0.0.0/8', 'fd00::/8'];
    const names = ['loopback', 'linklocal', 'uniquelocal'];
    const { http } = loadConfig({
      ...valid,
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://documents.example',
      TRUSTED_PROXIES: [...proxies, ...names].join(', '),
    });
    expect(http.trustedProxies).to.deep.equal([...proxies, ...names]);
    express().set('trust proxy', [...http.trustedProxies]);
  });

  it('requires the public address if HTTPS is served on all addresses', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tls-'));
    const env = { TLS_CERT: join(folder, 'crt.pem'), TLS_KEY: join(folder, 'key.pem') };
    for (const file of Object.values(env)) writeFileSync(file, 'PEM');
    for (const HOST of ['0.0.0.0', '::'])
      expect(refusalOf({ ...env, HOST })).to.include('PUBLIC_URL');
    const PUBLIC_URL = 'https://documents.example';
    expect(loadConfig({ ...valid, ...env, HOST: '::', PUBLIC_URL }).http.host).to.equal('::');
    rmSync(folder, { recursive: true });
  });

  describe('of plans', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'plans-'));
    });
    after(() => rmSync(folder, { recursive: true }));
    const write = (text: string): string => {
      const file = join(folder, 'plans.json');
      writeFileSync(file, text);
      return file;
    };

    it('uses the plans of PLANS_FILE instead of the built-in ones', () => {
      const plans = { only: defaultPlans.pro };
      const config = loadConfig({ ...valid, PLANS_FILE: write(JSON.stringify(plans)) });
      expect(config.plans).to.deep.equal(plans);
    });

    for (const text of ['{"only":{"name":"x"}}', 'not json', '[]'])
      it(`names PLANS_FILE when it holds ${text}`, () => {
        expect(refusalOf({ PLANS_FILE: write(text) })).to.include('PLANS_FILE');
      });

    it('names PLANS_FILE when it does not exist', () => {
      expect(refusalOf({ PLANS_FILE: join(folder, 'missing.json') })).to.include('PLANS_FILE');
    });
  });

  it('describes every variable for the documentation', () => {
    for (const [name, schema] of Object.entries(environmentSchema.shape))
      expect(schema.description, name).to.match(/\.$/);
  });
});
