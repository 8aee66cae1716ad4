import { expect } from 'chai';
import { errors } from '../../contracts/errors.ts';
import { maxJsonBodyBytes } from '../../contracts/limits.ts';
import { pathParametersOf, type Route } from '../../contracts/rest/route.ts';
import { type OperationId, routes } from '../../contracts/rest/routes.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { deployPage, sha256Of } from '../support/documents.ts';
import { type Gate, openGate, openStorageGate, type StorageGate } from '../support/gate.ts';
import { addWorkspace } from '../support/service.ts';
import {
  type ApiTarget,
  type CallInput,
  call,
  expectRefusal,
  expectSuccess,
  startOtherApi,
  untilStatus,
  useApi,
  useOtherApi,
} from './api-fixture.ts';
import { inputOf, inputWithSession } from './valid-inputs.ts';

const operations = Object.entries<Route>(routes) as [OperationId, Route][];

/** Lists the operations whose route matches. */
const operationsWith = (matches: (route: Route) => boolean): OperationId[] =>
  operations.filter(([, route]) => matches(route)).map(([operation]) => operation);

/** Errors that do not depend on the data: each route that declares one really answers it. */
describe('every route', function () {
  this.timeout(60_000);
  const api = useApi();

  describe('answers 400', () => {
    for (const [operation] of operations)
      it(`to ${operation} with headers that are too long`, async () => {
        const input = inputOf(operation);
        const headers = { ...input.headers, 'X-Long': 'x'.repeat(20_000) };
        await expectRefusal(api(), operation, 'invalid_request', { ...input, headers });
      });

    for (const operation of operationsWith(({ path }) => pathParametersOf(path).length > 0))
      it(`to ${operation} with an id in broken percent-encoding`, async () => {
        const input = inputOf(operation);
        for (const name of pathParametersOf(routes[operation].path))
          await expectRefusal(api(), operation, 'invalid_request', {
            ...input,
            params: { ...input.params, [name]: '%ff' },
          });
      });

    for (const operation of operationsWith(({ query }) => query !== undefined))
      it(`to ${operation} with an unknown parameter`, async () => {
        const input = inputOf(operation);
        const query = { ...input.query, unknown: '1' };
        await expectRefusal(api(), operation, 'invalid_request', { ...input, query });
      });

    for (const operation of operationsWith(({ body }) => typeof body === 'object'))
      it(`to ${operation} with a body over 16 MiB`, async () => {
        const body = new Uint8Array(maxJsonBodyBytes + 1).fill(0x20);
        const input = await inputWithSession(api(), operation);
        await expectRefusal(api(), operation, 'payload_too_large', { ...input, body });
      });

    const lists = operationsWith(({ query }) => query !== undefined && 'cursor' in query.shape);
    for (const operation of lists)
      it(`to ${operation} with a cursor that is not from this list`, async () => {
        const { deployId, id: versionId } = await deployPage(
          api().workspace.client,
          '<!doctype html><p>x</p>',
        );
        const input = inputOf(operation);
        const query = { ...input.query, ...('deployId' in input.query && { deployId }) };
        await expectRefusal(api(), operation, 'invalid_cursor', {
          params: { ...input.params, deployId, versionId },
          query: { ...query, cursor: 'x' },
        });
      });
  });

  describe('answers 403 behind a trusted proxy', () => {
    const otherApi = useOtherApi(api, () => ({
      TRUSTED_PROXIES: '127.0.0.1',
      PUBLIC_URL: 'https://documents.example',
    }));
    const by = (scheme: string) => ({ headers: { 'X-Forwarded-Proto': scheme } });

    for (const [operation] of operations)
      it(`to ${operation} if the call reached the proxy by plain HTTP or bypassed it`, async () => {
        const input = inputOf(operation);
        await expectRefusal(otherApi(), operation, 'forbidden', { ...input, ...by('http') });
        await expectRefusal(otherApi(), operation, 'forbidden', input);
      });

    it('to no call that reached the proxy by HTTPS', async () => {
      await expectSuccess(otherApi(), 'listDeploys', by('https'));
    });
  });

  describe('answers 404', () => {
    for (const operation of operationsWith(({ path }) => pathParametersOf(path).length > 0))
      it(`to ${operation} with a malformed id`, async () => {
        const { path } = routes[operation];
        for (const name of pathParametersOf(path)) {
          const input = inputOf(operation);
          const params = { ...input.params, [name]: '%00' };
          const answer = await call(api(), operation, { ...input, params });
          expect(answer.status, name).to.equal(404);
        }
      });
  });

  describe('answers 500, without the cause,', () => {
    let database: TestDatabase;
    let otherApi: ApiTarget & AsyncDisposable;
    let apiKey: string;
    before(async () => {
      database = await createDatabase();
      const { sql } = database;
      ({ apiKey } = await addWorkspace(sql, 'self_hosted'));
      otherApi = await startOtherApi(api(), { DATABASE_URL: database.url });
      // The remaining tables are enough to find the caller: the failure happens in the route itself.
      const tables = await sql<{ name: string }[]>`
        select table_name as name from information_schema.tables
        where table_schema = 'public' and table_name <> all(${['workspaces', 'api_keys']})`;
      for (const { name } of tables) await sql`drop table ${sql(name)} cascade`;
    });
    after(async () => {
      await otherApi[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });

    for (const [operation] of operations)
      it(`to ${operation} after an unexpected failure`, async () => {
        const answer = await expectRefusal(otherApi, operation, 'internal_error', {
          ...inputOf(operation),
          apiKey,
        });
        expect(answer.body).to.have.property('message', errors.internal_error.message);
      });
  });

  describe('answers 501', () => {
    const otherApi = useOtherApi(api, () => ({ DISABLED_FEATURES: 'upload-sessions,render-jobs' }));
    for (const operation of operationsWith(({ feature }) => feature !== undefined))
      it(`to ${operation} if its feature is disabled`, async () => {
        await expectRefusal(otherApi(), operation, 'not_implemented', inputOf(operation));
      });

    it('to no other operation', async () => {
      await expectSuccess(otherApi(), 'listDeploys');
    });
  });

  describe('answers 503', () => {
    let gate: Gate;
    before(async () => {
      gate = await openGate(api().service.database.url);
    });
    after(() => gate[Symbol.asyncDispose]());
    const otherApi = useOtherApi(api, () => ({ DATABASE_URL: gate.url }));

    it('to no call while the database is up', async () => {
      await expectSuccess(otherApi(), 'listDeploys');
    });

    describe('while the database is down, with Retry-After,', () => {
      before(() => gate.close());
      for (const [operation] of operations)
        it(`to ${operation}`, async () => {
          const answer = await expectRefusal(
            otherApi(),
            operation,
            'service_unavailable',
            inputOf(operation),
          );
          expect(answer.headers.get('Retry-After')).to.equal('1');
        });
    });
  });

  describe('answers 503 without the blob storage', () => {
    let gate: StorageGate;
    let existing: CallInput;
    const listed = { path: 'index.html', sha256: sha256Of('x'), size: 1 };
    before(async () => {
      const { workspace, service } = api();
      gate = await openStorageGate(service.env.AZURE_STORAGE_CONNECTION_STRING ?? '');
      const { deployId } = await deployPage(workspace.client, '<!doctype html><p>Stored</p>');
      const { uploadSession } = await workspace.client.createUploadSession({
        body: { deployId, files: [listed] },
      });
      const { job } = await workspace.client.createRenderJob({
        body: { deployId, outputMode: 'managed' },
      });
      const { pdf } = await untilStatus(api(), job.id);
      existing = {
        params: {
          jobId: job.id,
          pdfId: pdf?.id ?? '',
          uploadSessionId: uploadSession.id,
          sha256: listed.sha256,
        },
        headers: { 'X-Upload-Token': uploadSession.uploadToken },
      };
    });
    after(() => gate[Symbol.asyncDispose]());

    const withStorage = ([, route]: [OperationId, Route]) =>
      route.errors.includes('storage_unavailable');
    const outages: [string, () => NodeJS.ProcessEnv, (() => Promise<void>)?][] = [
      ['no storage is configured', () => ({ AZURE_STORAGE_CONNECTION_STRING: '' })],
      [
        'the storage is down',
        () => ({ AZURE_STORAGE_CONNECTION_STRING: gate.connectionString }),
        () => gate.close(),
      ],
    ];
    for (const [when, env, fail] of outages)
      describe(`while ${when}`, () => {
        const otherApi = useOtherApi(api, env);
        before(() => fail?.());
        for (const [operation] of operations.filter(withStorage))
          it(`to ${operation}`, async () => {
            const input = { ...inputOf(operation), ...existing };
            await expectRefusal(otherApi(), operation, 'storage_unavailable', input);
          });
      });
  });
});
