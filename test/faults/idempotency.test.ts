import { expect } from 'chai';
import type { Sql } from '../../store/database/connection.ts';
import { deployPage, sha256Of } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import {
  type Service,
  type ServiceProcess,
  startService,
  type Workspace,
} from '../support/service.ts';

/** The id of an advisory lock that nothing else uses. */
const commitLock = 42;

describe('an API that is killed while it creates something', function () {
  this.timeout(120_000);
  let service: Service;
  let api: ServiceProcess;
  let workspace: Workspace;
  let deployId: string;
  before(async () => {
    service = await startService();
    api = service.api;
    workspace = await service.createWorkspace();
    deployId = (await deployPage(workspace.client, '<!doctype html><p>Once</p>')).deployId;
    await makeCommitsWait(service.database.sql);
  });
  after(() => service[Symbol.asyncDispose]());

  const file = { path: 'index.html', sha256: sha256Of('x'), size: 1 };
  const creations = {
    'render-jobs': {
      body: () => ({ deployId }),
      idOf: (answer: never) => (answer as { job: { id: string } }).job.id,
      table: 'render_jobs',
    },
    'upload-sessions': {
      body: () => ({ deployId, files: [file] }),
      idOf: (answer: never) => (answer as { uploadSession: { id: string } }).uploadSession.id,
      table: 'upload_sessions',
    },
  } as const;

  for (const [path, { body, idOf, table }] of Object.entries(creations)) {
    const post = (key: string) =>
      fetch(`${service.baseUrl}/${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${workspace.apiKey}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify(body()),
      });
    const idsIn = async (): Promise<string[]> => {
      const { sql } = service.database;
      const rows = await sql<{ id: string }[]>`select id from ${sql(table)} order by id`;
      return rows.map(({ id }) => id);
    };

    it(`after the commit and before the answer: the same call of ${path} returns what was created`, async () => {
      const before = await idsIn();
      await killAtCommit(service.database.sql, api, () => post(`answered ${path}`));
      const [created, ...more] = (
        await poll('the commit', async () => {
          const ids = await idsIn();
          return ids.length > before.length && ids;
        })
      ).slice(before.length);
      expect(more).to.deep.equal([]);
      api = await service.startApi();
      const replay = await post(`answered ${path}`);
      expect(replay.headers.get('Idempotent-Replayed')).to.equal('true');
      expect(idOf((await replay.json()) as never)).to.equal(created);
      expect(await idsIn()).to.have.lengthOf(before.length + 1);
    });

    it(`before the commit: the same call of ${path} creates it once`, async () => {
      const before = await idsIn();
      await killAtCommit(service.database.sql, api, () => post(`lost ${path}`), { commits: false });
      api = await service.startApi();
      expect(await idsIn()).to.deep.equal(before);
      const [first, second] = [await post(`lost ${path}`), await post(`lost ${path}`)];
      expect(first.headers.get('Idempotent-Replayed')).to.equal(null);
      expect(second.headers.get('Idempotent-Replayed')).to.equal('true');
      expect(idOf((await first.json()) as never)).to.equal(idOf((await second.json()) as never));
      expect(await idsIn()).to.have.lengthOf(before.length + 1);
    });
  }
});

/** Makes commits of calls with an Idempotency-Key wait for a lock, with a deferred trigger that runs at commit. */
async function makeCommitsWait(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create function wait_at_commit() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${commitLock}); return null; end $$;
    create constraint trigger wait_at_commit after insert on idempotency_keys
      deferrable initially deferred for each row execute function wait_at_commit()`);
}

/**
 * Kills the API when the call has written everything and waits to commit. PostgreSQL does not notice and commits when the lock
 * is free, but the client gets no answer. With `commits: false` the transaction is aborted, as when the API's machine crashes.
 */
async function killAtCommit(
  sql: Sql,
  api: ServiceProcess,
  call: () => Promise<Response>,
  { commits = true } = {},
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${commitLock})`;
    const answer = call().catch((error: unknown) => error);
    const pid = await poll('the call to wait at its commit', async () => {
      const [waiting] = await sql<{ pid: number }[]>`
        select pid from pg_locks where locktype = 'advisory' and objid = ${commitLock} and not granted`;
      return waiting?.pid;
    });
    await api.end('SIGKILL');
    expect(await answer).to.be.instanceOf(Error);
    if (!commits) await sql`select pg_terminate_backend(${pid})`;
  });
}
