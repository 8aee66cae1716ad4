import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { HttpErrorCode } from '../../contracts/errors.ts';
import { maxJsonBodyBytes } from '../../contracts/limits.ts';
import { pathParametersOf, type Route } from '../../contracts/rest/route.ts';
import { type OperationId, routes } from '../../contracts/rest/routes.ts';
import { deployPage } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import type { Workspace } from '../support/service.ts';
import {
  type Api,
  assertError,
  call,
  countRows,
  expectRefusal,
  expectSuccess,
  toAnswer,
  uniqueSlug,
  unusedIds,
  useApi,
} from './api-fixture.ts';
import { file, inputOf, queries } from './valid-inputs.ts';

const operations = Object.entries<Route>(routes) as [OperationId, Route][];
const sha256 = unusedIds.sha256;

describe('authentication', () => {
  const api = useApi();
  let workspace: Workspace;
  before(async () => {
    workspace = await api().service.createWorkspace();
  });

  const credentials: [string, () => Record<string, string>][] = [
    ['no key', () => ({})],
    ['an empty key', () => ({ Authorization: 'Bearer ' })],
    ['a key of another kind', () => ({ Authorization: 'Bearer sk_test_123' })],
    ['a mistyped key', () => ({ Authorization: `Bearer ${flipLast(workspace.apiKey)}` })],
    ['an unknown key', () => ({ Authorization: `Bearer drs_${'0'.repeat(36)}` })],
    ['a key by Basic', () => ({ Authorization: `Basic ${btoa(`${workspace.apiKey}:`)}` })],
    ['a key without its scheme', () => ({ Authorization: workspace.apiKey })],
    ['a key in another header', () => ({ 'X-Api-Key': workspace.apiKey })],
  ];
  for (const [operation] of operations)
    it(`is required by ${operation} and checked before anything else`, async () => {
      for (const [what, headers] of credentials) {
        const input = { ...inputOf(operation), apiKey: null };
        const answer = await expectRefusal(api(), operation, 'unauthorized', {
          ...input,
          headers: { ...input.headers, ...headers() },
        });
        expect(answer.headers.get('WWW-Authenticate'), what).to.equal('Bearer');
      }
    });

  const withBody = operations.filter(([, { body }]) => body !== undefined);
  for (const [operation] of withBody)
    it(`is checked by ${operation} before it reads the body`, async () => {
      for (const body of unfinishedBodies) {
        const answer = await askUnfinished(api(), operation, unusedIds, {}, body);
        expect(answer.body, answer.text).to.have.property('error', 'unauthorized');
      }
    });

  it('fails at once for a revoked key', async () => {
    const { apiKey, id } = await api().service.createWorkspace();
    await expectSuccess(api(), 'listDeploys', { apiKey });
    const { sql } = api().service.database;
    await sql`update api_keys set revoked_at = 1 where workspace_id = ${id}`;
    await expectRefusal(api(), 'listDeploys', 'unauthorized', { apiKey });
  });

  it('accepts the scheme in upper and lower case', async () => {
    const headers = { Authorization: `bearer ${workspace.apiKey}` };
    await expectSuccess(api(), 'listDeploys', { apiKey: null, headers });
  });

  describe('for an upload session', () => {
    const tokenOperations = operations.filter(([, route]) => route.uploadToken);
    let session: { id: string; uploadToken: string };
    let other: { id: string; uploadToken: string };
    before(async () => {
      const create = async () =>
        (
          await expectSuccess(api(), 'createUploadSession', {
            apiKey: workspace.apiKey,
            body: { createDeploy: { slug: uniqueSlug(), name: 'Tokens' }, files: [file] },
          })
        ).uploadSession;
      [session, other] = [await create(), await create()];
    });

    const tokens: [string, () => Record<string, string>, HttpErrorCode][] = [
      ['no token', () => ({}), 'upload_token_missing'],
      ['an empty token', () => ({ 'X-Upload-Token': '' }), 'upload_token_missing'],
      ['a wrong token', () => ({ 'X-Upload-Token': 'upt_wrong' }), 'upload_token_invalid'],
      [
        'the token of another session',
        () => ({ 'X-Upload-Token': other.uploadToken }),
        'upload_token_invalid',
      ],
    ];
    for (const [operation] of tokenOperations)
      for (const [what, headers, code] of tokens)
        it(`fails for ${operation} with ${what}`, async () => {
          await expectRefusal(api(), operation, code, {
            ...inputOf(operation),
            apiKey: workspace.apiKey,
            params: { uploadSessionId: session.id, sha256 },
            headers: headers(),
          });
        });

    for (const [operation] of tokenOperations.filter(([, { body }]) => body !== undefined))
      for (const [what, headers, code] of tokens)
        it(`fails for ${operation} with ${what} before it reads the body`, async () => {
          const params = { uploadSessionId: session.id, sha256 };
          const sent = { Authorization: `Bearer ${workspace.apiKey}`, ...headers() };
          for (const body of unfinishedBodies) {
            const answer = await askUnfinished(api(), operation, params, sent, body);
            expect(answer.body, answer.text).to.have.property('error', code);
          }
        });
  });
});

/** Content lengths of malformed bodies that never end: the largest allowed, one more, and none. */
const unfinishedBodies = [maxJsonBodyBytes, maxJsonBodyBytes + 1, undefined];

/** Starts to send a body with this Content-Length, if any, and waits for the answer. */
async function askUnfinished(
  { service }: Api,
  operation: OperationId,
  params: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
  length: number | undefined,
) {
  const { method, path, body }: Route = routes[operation];
  const filled = pathParametersOf(path).reduce<string>(
    (address, name) => address.replace(`{${name}}`, params[name] ?? ''),
    path,
  );
  const type = body === 'bytes' ? 'application/octet-stream' : 'application/json';
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = httpRequest(`${service.baseUrl}${filled}`, {
    method,
    headers: {
      'Content-Type': type,
      ...(length !== undefined && { 'Content-Length': length }),
      ...headers,
    },
  });
  request.on('error', reject).on('response', async (incoming) => {
    const answered = new Headers(incoming.headers as Record<string, string>);
    const { statusCode = 0 } = incoming;
    resolve(new Response(await text(incoming), { status: statusCode, headers: answered }));
  });
  request.write('{{');
  const answer = await toAnswer(await promise);
  request.destroy();
  return answer;
}

const flipLast = (key: string): string => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

describe('a key of another workspace', () => {
  const api = useApi();
  let otherWorkspace: Workspace;
  let ids: Record<string, string>;
  let uploadToken: string;
  before(async () => {
    otherWorkspace = await api().service.createWorkspace();
    const { client } = api().workspace;
    const { deployId } = await deployPage(client, '<!doctype html><p>Ours</p>');
    const { uploadSession } = await client.createUploadSession({
      body: { deployId, files: [file] },
    });
    const { job } = await client.createRenderJob({ body: { deployId } });
    uploadToken = uploadSession.uploadToken;
    ids = { ...unusedIds, deployId, uploadSessionId: uploadSession.id, jobId: job.id };
  });

  const withIds = operations.filter(
    ([operation, { path }]) => pathParametersOf(path).length > 0 || operation === 'listRenderJobs',
  );
  for (const [operation] of withIds)
    it(`gets the same answer from ${operation} for an existing id as for an unused one, byte for byte`, async () => {
      const answers = [];
      for (const params of [ids, unusedIds])
        answers.push(
          await call(api(), operation, {
            ...inputOf(operation),
            apiKey: otherWorkspace.apiKey,
            params,
            query: queries[operation] ? { deployId: params.deployId ?? '' } : {},
            headers: 'uploadToken' in routes[operation] ? { 'X-Upload-Token': uploadToken } : {},
          }),
        );
      const [existing, unused] = answers.map(({ status, text: body, headers }) => ({
        status,
        body,
        headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
      }));
      expect(existing).to.deep.equal(unused);
      expect(existing?.status).to.equal(404);
    });

  const inBodies: [OperationId, (deployId: string) => object][] = [
    ['createUploadSession', (deployId) => ({ deployId, files: [file] })],
    ['createRenderJob', (deployId) => ({ deployId })],
  ];
  for (const [operation, bodyOf] of inBodies)
    it(`gets the same answer from ${operation} for an existing deploy as for an unused id, and stores nothing`, async () => {
      const { apiKey, id } = otherWorkspace;
      const before = await countRows(api(), id);
      const [existing, unused] = [
        await expectRefusal(api(), operation, 'deploy_not_found', {
          apiKey,
          body: bodyOf(ids.deployId ?? ''),
        }),
        await expectRefusal(api(), operation, 'deploy_not_found', {
          apiKey,
          body: bodyOf(unusedIds.deployId),
        }),
      ];
      expect(existing.text).to.equal(unused.text);
      expect(await countRows(api(), id)).to.deep.equal(before);
    });

  it('can create a deploy with the same slug', async () => {
    const body = { slug: uniqueSlug(), name: 'Both' };
    for (const { apiKey } of [api().workspace, otherWorkspace])
      await expectSuccess(api(), 'createDeploy', { apiKey, body });
  });
});

describe('every request', () => {
  const api = useApi();

  const addresses: [string, string][] = [
    ['GET', '/nothing'],
    ['GET', '/'],
    ['GET', ''],
    ['DELETE', '/deploys'],
    ['PUT', '/render-jobs'],
    ['PATCH', `/render-jobs/${unusedIds.jobId}`],
    ['GET', `/upload-sessions/${unusedIds.uploadSessionId}`],
    ['POST', '/deploys/x/aliases'],
    ['GET', '/../healthz'],
    ['GET', '/deploys/..%2f..%2fhealthz/x'],
  ];
  for (const [method, path] of addresses)
    it(`gets an error in the form of the contract at ${method} ${path || 'the base address'}`, async () => {
      const answer = await askRaw(`${api().service.baseUrl}`, method, path);
      assertError(answer);
      expect(answer.body).to.have.property('error', 'not_found');
      expect(answer.headers.get('X-Request-Id')).to.be.a('string');
    });

  it('gets an error in that form for a path with broken percent-encoding', async () => {
    const answer = await askRaw(api().service.baseUrl, 'GET', '/deploys/%ff');
    assertError(answer);
    expect(answer.status).to.equal(400);
  });

  it('gets an error in that form for an address that is too long', async () => {
    for (let time = 0; time < 3; time++) {
      await expectRefusal(api(), 'listDeploys', 'invalid_request', {
        query: { cursor: 'x'.repeat(20_000) },
      });
      await expectSuccess(api(), 'listDeploys');
    }
  });

  it('has the request id of the client in the answer and in the log', async () => {
    const id = 'my-request.42';
    const answer = await call(api(), 'listDeploys', { headers: { 'X-Request-Id': id } });
    expect(answer.headers.get('X-Request-Id')).to.equal(id);
    await poll('the line of the log', () =>
      api().service.api.lines.some((line) => line.requestId === id),
    );
  });

  for (const id of ['', 'x'.repeat(65), 'with space', '<script>', 'ümlaut'])
    it(`gets a new request id if that of the client is ${JSON.stringify(id).slice(0, 20)}`, async () => {
      const answer = await call(api(), 'listDeploys', { headers: { 'X-Request-Id': id } });
      expect(answer.headers.get('X-Request-Id')).to.match(/^[0-9a-f-]{36}$/);
    });

  it('is logged without key, token and body', async () => {
    const { apiKey } = api().workspace;
    const lines = JSON.stringify(api().service.api.lines);
    for (const secret of [apiKey, apiKey.slice(4, 30), 'upt_', 'Refused'])
      expect(lines).not.to.include(secret);
  });
});

/** Sends the path unchanged. `fetch` would normalize it. */
async function askRaw(baseUrl: string, method: string, path: string) {
  const { hostname, port, pathname } = new URL(baseUrl);
  const response = await new Promise<Response>((resolve, reject) => {
    httpRequest({ hostname, port, method, path: pathname + path }, async (incoming) => {
      const headers = new Headers(incoming.headers as Record<string, string>);
      resolve(new Response(await text(incoming), { status: incoming.statusCode ?? 0, headers }));
    })
      .on('error', reject)
      .end();
  });
  return toAnswer(response);
}
