import { expect } from 'chai';
import { parseRetryAfter } from '../../activities/deliver-webhook.ts';
import { logAnswer } from '../../activities/webhook-log.ts';
import { createWebhookEndpointBody } from '../../contracts/admin/webhooks.ts';

describe('the log of a webhook', () => {
  const link = 'https://store.example/a.pdf?se=2026&sig=aB%2Bc%2Fd%3D&sp=r';
  const forms: Record<string, string> = {
    plain: link,
    'as JSON': JSON.stringify({ link }),
    'as JSON for HTML': link.replaceAll('&', '\\u0026').replaceAll('=', '\\u003d'),
    'as HTML': link.replaceAll('&', '&amp;'),
    'percent-encoded': encodeURIComponent(link),
    'percent-encoded twice': encodeURIComponent(encodeURIComponent(link)),
    'cut within the signature': link.slice(0, link.indexOf('%2Fd')),
  };
  for (const [form, text] of Object.entries(forms))
    it(`holds no signature of a link that comes back ${form}`, () => {
      const logged = logAnswer({ status: 200, headers: { link: text }, body: Buffer.from(text) });
      expect(logged.responseBody).to.include('store.example');
      expect(JSON.stringify(logged)).not.to.match(/aB(%|\b)/);
    });

  it('replaces characters that PostgreSQL cannot store', () => {
    const body = Buffer.from([0, 0xff, 0xd8, ...Buffer.alloc(10_000, 'x')]);
    const { responseBody = '' } = logAnswer({ status: 200, headers: {}, body });
    expect(responseBody).to.have.lengthOf(4_097);
    expect(responseBody).not.to.include('\0');
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1);
  const given: Record<string, number> = {
    '120': 120_000,
    'Thu, 01 Jan 2026 00:01:00 GMT': 60_000,
    'Wed, 31 Dec 2025 00:00:00 GMT': 0,
    soon: 0,
    '': 0,
  };
  for (const [value, ms] of Object.entries(given))
    it(`"${value}" is ${ms} ms`, () => {
      expect(parseRetryAfter(value, now)).to.equal(ms);
    });
});

describe('the URL of a webhook', () => {
  for (const url of ['https://example.com/hooks?team=1', 'http://127.0.0.1:8080/'])
    it(`may be ${url}`, () => {
      expect(createWebhookEndpointBody.safeParse({ url }).success).to.equal(true);
    });
  for (const url of [
    'example.com/hooks',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:secret@example.com/',
    'https://example.com/#part',
    `https://example.com/${'x'.repeat(2_048)}`,
  ])
    it(`may not be ${url.slice(0, 40)}`, () => {
      expect(createWebhookEndpointBody.safeParse({ url }).success).to.equal(false);
    });
});
