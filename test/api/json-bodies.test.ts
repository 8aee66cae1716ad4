import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { maxJsonBodyBytes, maxJsonDepth, maxJsonValues } from '../../contracts/limits.ts';
import type { Route } from '../../contracts/rest/route.ts';
import { type OperationId, routes } from '../../contracts/rest/routes.ts';
import {
  type CallInput,
  countRows,
  expectRefusal,
  expectSuccess,
  uniqueSlug,
  useApi,
} from './api-fixture.ts';
import { inputWithSession } from './valid-inputs.ts';

const routesWithJson = Object.entries<Route>(routes).filter(
  ([, { body }]) => typeof body === 'object',
);

const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Bodies that no route accepts. */
const unreadable: [string, CallInput][] = [
  ['malformed JSON', { body: '{"slug":' }],
  ['text after its JSON', { body: '{} {}' }],
  ['single quotes', { body: "{'slug':'x'}" }],
  ['another content type', { body: '{}', headers: { 'Content-Type': 'text/plain' } }],
  ['no content type', { body: new TextEncoder().encode('{}'), headers: { 'Content-Type': '' } }],
  ['a form', { body: 'a=b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
  [
    'an unknown charset',
    { body: '{}', headers: { 'Content-Type': 'application/json; charset=x' } },
  ],
  [
    'UTF-16, in which a quote may be half of another character',
    {
      body: new Uint8Array(Buffer.from('["\u2200"]', 'utf16le')),
      headers: { 'Content-Type': 'application/json; charset=utf-16le' },
    },
  ],
  ['an unknown encoding', { body: '{}', headers: { 'Content-Encoding': 'rot13' } }],
  ['invalid gzip', { body: '{}', headers: { 'Content-Encoding': 'gzip' } }],
  ['NUL in a string', { body: '{"name":"\\u0000"}' }],
  ['NUL in a key', { body: '{"\\u0000":1}' }],
  ['a lone surrogate', { body: '{"name":"\\ud800"}' }],
  ['a number beyond a double', { body: '{"size":1e400}' }],
  ['an unknown field', { body: '{"unknown":1}' }],
  ['null', { body: 'null' }],
  ['one level too many', { body: `{"payload":${nest(maxJsonDepth)}}` }],
  ['one value too many', { body: `{"payload":[${'0,'.repeat(maxJsonValues)}0]}` }],
  ['a bomb of 100,000 levels', { body: nest(100_000) }],
];

describe('a JSON body', () => {
  const api = useApi();

  for (const [what, input] of unreadable)
    it(`with ${what} is rejected by every route with a JSON body`, async () => {
      for (const [operation] of routesWithJson) {
        const { params, headers } = await inputWithSession(api(), operation as OperationId);
        await expectRefusal(api(), operation as OperationId, 'invalid_request', {
          params: params ?? {},
          ...input,
          headers: { ...headers, ...input.headers },
        });
      }
    });

  it('over 16 MiB is rejected, with or without Content-Length, and nothing is stored', async () => {
    const { id } = api().workspace;
    const before = await countRows(api(), id);
    const large = new Uint8Array(maxJsonBodyBytes + 1).fill(0x20);
    for (const body of [large, new Blob([large]).stream()])
      await expectRefusal(api(), 'createDeploy', 'payload_too_large', { body });
    expect(await countRows(api(), id)).to.deep.equal(before);
  });

  it('over 16 MiB is rejected even if its compressed size is small', async () => {
    const body = new Uint8Array(gzipSync(Buffer.alloc(maxJsonBodyBytes + 1, ' ')));
    const headers = { 'Content-Encoding': 'gzip' };
    await expectRefusal(api(), 'createDeploy', 'payload_too_large', { body, headers });
  });

  it('can be compressed by gzip, and its content type can be in upper case', async () => {
    const text = JSON.stringify({ slug: uniqueSlug(), name: 'By gzip' });
    const headers = {
      'Content-Encoding': 'gzip',
      'Content-Type': 'Application/JSON;charset=UTF-8',
    };
    await expectSuccess(api(), 'createDeploy', { body: new Uint8Array(gzipSync(text)), headers });
  });

  it('of 16 MiB of brackets is rejected within 3 seconds', async () => {
    const begun = performance.now();
    const bomb = new Uint8Array(maxJsonBodyBytes).fill(0x5b);
    await expectRefusal(api(), 'createRenderJob', 'invalid_request', { body: bomb });
    expect(performance.now() - begun).to.be.lessThan(3_000);
  });

  it('that was rejected leaves the connection usable', async () => {
    for (let time = 0; time < 3; time++) {
      await expectRefusal(api(), 'createDeploy', 'invalid_request', { body: '{' });
      await expectSuccess(api(), 'listDeploys');
    }
  });
});
