import { expect } from 'chai';
import type { OperationId } from '../../contracts/rest/routes.ts';
import { deployPage } from '../support/documents.ts';
import type { Workspace } from '../support/service.ts';
import {
  call,
  countRows,
  expectRefusal,
  expectSuccess,
  uniqueSlug,
  untilStatus,
  unusedIds,
  useApi,
} from './api-fixture.ts';

const file = { path: 'index.html', sha256: unusedIds.sha256, size: 1 };
const simultaneousCalls = 100;

describe('an Idempotency-Key', () => {
  const api = useApi();
  let workspace: Workspace;
  let deployId: string;
  let jobId: string;
  before(async () => {
    workspace = await api().service.createWorkspace();
    deployId = (await deployPage(workspace.client, '<!doctype html><p>Once</p>')).deployId;
    const { job } = await workspace.client.createRenderJob({ body: { deployId } });
    jobId = (await untilStatus(api(), job.id, undefined, workspace.apiKey)).job.id;
  });

  const operations: [OperationId, (mark: string) => object][] = [
    ['createRenderJob', (mark) => ({ deployId, payload: { mark } })],
    [
      'createUploadSession',
      (mark) => ({ createDeploy: { slug: mark, name: mark }, files: [file] }),
    ],
    ['rerenderJob', (mark) => ({ payload: null, businessKey: mark })],
  ];
  const send = (operation: OperationId, key: string, body: unknown, apiKey = workspace.apiKey) =>
    call(api(), operation, {
      apiKey,
      body,
      params: { jobId },
      headers: { 'Idempotency-Key': key },
    });
  const isReplay = ({ headers }: { headers: Headers }) => headers.get('Idempotent-Replayed');

  for (const [operation, bodyOf] of operations) {
    it(`repeats the first answer of ${operation} and marks it as replayed`, async () => {
      const body = bodyOf(uniqueSlug());
      const [first, second] = [
        await send(operation, `again ${operation}`, body),
        await send(operation, `again ${operation}`, body),
      ];
      expect([isReplay(first), isReplay(second)]).to.deep.equal([null, 'true']);
      expect(second.status).to.equal(first.status);
      expect(second.body).to.deep.equal(first.body);
    });

    it(`cannot be used again in ${operation} with another body, and nothing is stored`, async () => {
      await send(operation, `other ${operation}`, bodyOf(uniqueSlug()));
      const before = await countRows(api(), workspace.id);
      await expectRefusal(api(), operation, 'idempotency_key_conflict', {
        apiKey: workspace.apiKey,
        body: bodyOf(uniqueSlug()),
        params: { jobId },
        headers: { 'Idempotency-Key': `other ${operation}` },
      });
      expect(await countRows(api(), workspace.id)).to.deep.equal(before);
    });

    it(`makes ${simultaneousCalls} simultaneous calls of ${operation} act only once`, async () => {
      const body = bodyOf(uniqueSlug());
      const answers = await Promise.all(
        Array.from({ length: simultaneousCalls }, () =>
          send(operation, `twins ${operation}`, body),
        ),
      );
      expect(new Set(answers.map(({ text }) => text))).to.have.lengthOf(1);
      expect(answers.filter((answer) => !isReplay(answer))).to.have.lengthOf(1);
    });

    it(`can be used again after ${operation} has failed`, async () => {
      const key = `refused ${operation}`;
      const refused = await send(operation, key, { ...bodyOf(uniqueSlug()), unknown: 1 });
      expect(refused.status).to.equal(400);
      expect(isReplay(await send(operation, key, bodyOf(uniqueSlug())))).to.equal(null);
    });

    it(`answers a second ${operation} with 409 if the first call does not end in time; it can be sent again`, async () => {
      const key = `slow ${operation}`;
      const body = bodyOf(uniqueSlug());
      await api().service.database.sql.begin(async (tx) => {
        // Looks like a first call that has not ended.
        await tx`
          insert into idempotency_keys (workspace_id, route, key, fingerprint, created_at)
          values (${workspace.id}, ${operation}, ${key}, '', ${Date.now()})`;
        const twin = await send(operation, key, body);
        expect(twin.body).to.have.property('error', 'idempotency_key_in_progress');
        expect(twin.headers.get('Retry-After')).to.equal('1');
        await tx`delete from idempotency_keys where workspace_id = ${workspace.id} and key = ${key}`;
      });
      expect(isReplay(await send(operation, key, body))).to.equal(null);
    });

    it(`has 1 to 255 characters in ${operation}`, async () => {
      const headersOf = (key: string) => ({ 'Idempotency-Key': key });
      for (const key of ['', 'x'.repeat(256)])
        await expectRefusal(api(), operation, 'invalid_request', {
          apiKey: workspace.apiKey,
          body: bodyOf(uniqueSlug()),
          params: { jobId },
          headers: headersOf(key),
        });
      const longest = await send(operation, 'x'.repeat(255), bodyOf(uniqueSlug()));
      expect(longest.status).to.be.below(300);
    });
  }

  it('belongs to one operation', async () => {
    for (const [operation, bodyOf] of operations)
      expect(isReplay(await send(operation, 'same key', bodyOf(uniqueSlug())))).to.equal(null);
  });

  it('belongs to one workspace', async () => {
    const body = { createDeploy: { slug: uniqueSlug(), name: 'Same' }, files: [file] };
    const stranger = await api().service.createWorkspace();
    const [ours, theirs] = [
      await send('createUploadSession', 'workspace', body),
      await send('createUploadSession', 'workspace', body, stranger.apiKey),
    ];
    expect(isReplay(theirs)).to.equal(null);
    expect(theirs.text).not.to.equal(ours.text);
  });

  it('is stored without the upload token', async () => {
    const { sql } = api().service.database;
    const stored = await sql`select response from idempotency_keys`;
    expect(JSON.stringify(stored)).not.to.include('upt_');
  });

  it('has no effect on other operations', async () => {
    const { apiKey } = workspace;
    const headers = { 'Idempotency-Key': 'deploys' };
    const create = () =>
      expectSuccess(api(), 'createDeploy', {
        apiKey,
        headers,
        body: { slug: uniqueSlug(), name: 'x' },
      });
    expect((await create()).deploy.id).not.to.equal((await create()).deploy.id);
  });
});
