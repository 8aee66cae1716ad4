import { expect } from 'chai';
import { newId } from '../../contracts/ids.ts';
import { aliasName } from '../../contracts/rest/schemas/aliases.ts';
import { createDeployBody, slug, targetUrl } from '../../contracts/rest/schemas/deploys.ts';

const longest = 'x'.repeat(63);
const accepted: [string, { parse(value: unknown): unknown }, string[]][] = [
  ['a slug', slug, ['a', '0', '-', 'invoice-2024', longest]],
  ['an alias', aliasName, ['production', 'preview', 'v1', 'Release_1.2-rc', longest]],
  [
    'a target URL',
    targetUrl,
    [
      'http://example.com',
      'https://example.com:8443/a?b#c',
      'http://127.0.0.1:1/',
      'http://[::1]/',
    ],
  ],
];
const refused: [string, { safeParse(value: unknown): { success: boolean } }, unknown[]][] = [
  ['a slug', slug, ['', 'A', 'ä', 'a_b', 'a b', 'a/b', 'a.b', `${longest}x`, 'a\n', 1, null]],
  [
    'an alias',
    aliasName,
    ['', 'latest', '-a', '.', '..', 'a b', 'a/b', newId('deployVersion'), 'ver_', `${longest}x`],
  ],
  [
    'a target URL',
    targetUrl,
    [
      '',
      'example.com',
      '//example.com',
      '/a',
      'ftp://example.com',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/html,x',
      'http:',
      'http://',
      `http://example.com/${'x'.repeat(2_048)}`,
    ],
  ],
];

describe('deploys and aliases', () => {
  for (const [what, schema, values] of accepted)
    for (const value of values)
      it(`accept ${value.slice(0, 40)} as ${what}`, () => {
        expect(schema.parse(value)).to.equal(value);
      });

  for (const [what, schema, values] of refused)
    for (const value of values)
      it(`reject ${JSON.stringify(value).slice(0, 40)} as ${what}`, () => {
        expect(schema.safeParse(value).success).to.equal(false);
      });

  it('are managed by default', () => {
    expect(createDeployBody.parse({ slug: 'a', name: 'A' }).type).to.equal('managed');
  });

  const inconsistent = [
    { slug: 'a', name: 'A', type: 'url' },
    { slug: 'a', name: 'A', type: 'managed', targetUrl: 'http://example.com' },
    { slug: 'a', name: 'A', targetUrl: 'http://example.com' },
    { slug: 'a', name: 'A', extra: 1 },
    { slug: 'a' },
    { name: 'A' },
    { slug: 'a', name: '' },
    { slug: 'a', name: 'x'.repeat(256) },
  ];
  for (const body of inconsistent)
    it(`cannot be created from ${JSON.stringify(body).slice(0, 60)}`, () => {
      expect(createDeployBody.safeParse(body).success).to.equal(false);
    });
});
