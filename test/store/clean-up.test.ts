import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { CleanUpCounts } from '../../contracts/processes/workflows.ts';
import {
  cancelBlobDeletion,
  deleteScheduledBlobs,
  scheduleBlobDeletions,
} from '../../store/blobs/blob-deletions.ts';
import { blobKeys } from '../../store/blobs/blob-keys.ts';
import type { BlobStorage } from '../../store/blobs/blob-storage.ts';
import { cleanUp } from '../../store/clean-up.ts';
import { deleteDeploy } from '../../store/deploys/deploys.ts';
import { publishVersion } from '../../store/deploys/publish-version.ts';
import { scheduleUnpublishedPackDeletion } from '../../store/deploys/render-packs.ts';
import { deleteSessionFiles } from '../../store/deploys/session-files.ts';
import { createSignInLink } from '../../store/people/sign-in-links.ts';
import { createUser } from '../../store/people/users.ts';
import { openContainer } from '../support/container.ts';
import { poll } from '../support/poll.ts';
import {
  accept,
  beginTestCommit,
  codeOf,
  commitBodyOf,
  createDocument,
  createFile,
  createJobIn,
  createTestDeploy,
  createTestSession,
  createTestWorkspace,
  inTransaction,
  noon,
  plans,
  readJob,
  renderPackage,
  sealers,
  succeed,
  type TestDeploy,
  type TestDocument,
  useDatabase,
} from './store-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe('the clean-up', () => {
  const database = useDatabase();
  let blobs: BlobStorage;
  before(async () => {
    blobs = await openContainer();
  });

  const run = (now: number): Promise<CleanUpCounts> =>
    cleanUp({ sql: database().sql, blobs, ...sealers }, now);
  const write = (key: string) =>
    blobs.write(
      key,
      (async function* () {
        yield Buffer.from(key);
      })(),
      'text/plain',
    );
  const isScheduled = async (key: string): Promise<boolean> =>
    (await database().sql`select 1 from blob_deletions where blob_key = ${key}`).length === 1;

  it('expires only the sessions that are due', async () => {
    const { sql } = database();
    const deploy = await createTestDeploy(sql, await createTestWorkspace(sql));
    const id = await createTestSession(sql, deploy);
    const status = async () =>
      (await sql<{ status: string }[]>`select status from upload_sessions where id = ${id}`)[0]
        ?.status;
    await run(noon + hourMs - 1);
    expect(await status()).to.equal('open');
    expect((await run(noon + hourMs)).expiredSessions).to.equal(1);
    expect(await status()).to.equal('expired');
    expect((await run(noon + hourMs)).expiredSessions, 'again').to.equal(0);
  });

  it('deletes the sign-in sessions and sign-in links of users after they have expired', async () => {
    const { sql } = database();
    const person = { name: 'Ada', email: 'ada@example.com' };
    const userId = await inTransaction(sql, (tx) => createUser(tx, person));
    await createSignInLink(sql, { userId, now: noon });
    const session = { id: 's', userId, token: 't', expiresAt: new Date(noon + hourMs) };
    const times = { createdAt: new Date(noon), updatedAt: new Date(noon) };
    await sql`insert into user_sessions ${sql({ ...session, ...times })}`;
    expect((await run(noon + 14 * 60_000)).signInRows).to.equal(0);
    expect((await run(noon + 15 * 60_000)).signInRows, 'the link').to.equal(1);
    expect((await run(noon + hourMs)).signInRows, 'the session').to.equal(1);
  });

  it('deletes files that nothing needs, but not while a session is open or committing', async () => {
    const { sql } = database();
    const workspace = await createTestWorkspace(sql);
    const deploy = await createTestDeploy(sql, workspace);
    const files = [createFile()];
    const session = await createTestSession(sql, deploy, files);
    const key = blobKeys.file(workspace.id, files[0]?.sha256 ?? '');
    await write(key);
    const later = noon + 2 * dayMs;
    await sql`update upload_sessions set expires_at = ${later + hourMs} where id = ${session}`;
    await run(later);
    expect(await blobs.exists(key), 'open').to.equal(true);
    await beginTestCommit(sql, workspace, session, commitBodyOf(files));
    await run(later);
    expect(await blobs.exists(key), 'committing').to.equal(true);
    await sql`update upload_sessions set status = 'expired' where id = ${session}`;
    await run(later);
    expect(await blobs.exists(key), 'expired').to.equal(false);
  });

  it('removes everything that is due in one run, and checks each needed file once a week', async () => {
    const { sql } = database();
    const { workspace } = await createDocument(sql);
    const rows = 2_500;
    await sql`
      insert into idempotency_keys (workspace_id, route, key, fingerprint, created_at)
      select ${workspace.id}, 'createRenderJob', n::text, 'f', ${noon - 2 * dayMs} from generate_series(1, ${rows}) as n`;
    const { idempotencyKeys } = await run(noon);
    expect(idempotencyKeys).to.be.at.least(rows);
    const later = noon + 3 * dayMs;
    await run(later);
    const [file] = await sql`select looked_at from blobs where workspace_id = ${workspace.id}`;
    expect(file?.lookedAt).to.equal(later);
    await run(later + dayMs);
    const [again] = await sql`select looked_at from blobs where workspace_id = ${workspace.id}`;
    expect(again?.lookedAt).to.equal(later);
  });

  it('deletes the file lists of sessions in parts of limited size', async () => {
    const { sql } = database();
    const workspace = await createTestWorkspace(sql);
    const deploy = await createTestDeploy(sql, workspace);
    const session = await createTestSession(sql, deploy, [createFile()]);
    await sql`
      insert into upload_session_files (upload_session_id, path, sha256, size)
      select ${session}, 'file-' || n, repeat('d', 64), 1 from generate_series(1, 30) as n`;
    await sql`update upload_sessions set status = 'expired' where id = ${session}`;
    expect(await deleteSessionFiles(sql, 20)).to.equal(20);
    expect(await deleteSessionFiles(sql, 20)).to.equal(11);
    expect(await deleteSessionFiles(sql, 20)).to.equal(0);
  });

  it('keeps the files of a version until it is deleted and no open job needs it', async () => {
    const { sql } = database();
    const document = await createDocument(sql);
    const { workspace, deployId } = document;
    const [file] = await sql<{ sha256: string }[]>`
      select sha256 from deploy_version_files where deploy_version_id = ${document.deployVersionId}`;
    const key = blobKeys.file(workspace.id, file?.sha256 ?? '');
    const pack = blobKeys.renderPackage(workspace.id, renderPackage.treeHash).renderPackKey;
    await Promise.all([write(key), write(pack)]);
    const later = noon + 2 * dayMs;
    await run(later);
    expect(await blobs.exists(key), 'in use').to.equal(true);
    const job = await createJobIn(sql, document, 'rendering');
    await deleteDeploy(sql, workspace.id, deployId, later);
    await run(later);
    expect(await blobs.exists(key), 'a job renders it').to.equal(true);
    await succeed(sql, await readJob(sql, job.jobId));
    await run(later);
    await run(later + hourMs);
    expect(await blobs.exists(key), 'nothing needs it').to.equal(false);
    expect(await blobs.exists(pack), 'nor its pack').to.equal(false);
  });

  it('continues after a failed step, and names it at the end', async () => {
    const { sql } = database();
    const key = `ws_test/blobs/${randomUUID()}`;
    await scheduleBlobDeletions(sql, [key], noon);
    const broken = {
      ...sealers.linkTokens,
      get keyId(): string {
        throw new Error('broken');
      },
    };
    const store = { sql, blobs, ...sealers, linkTokens: broken };
    const failure = await cleanUp(store, noon).catch(String);
    expect(failure).to.include('resealedSecrets');
    expect(await isScheduled(key)).to.equal(false);
  });

  describe('of packs that versions of one tree share', () => {
    const packageOf = ({ id }: { id: string }) => ({
      treeHash: renderPackage.treeHash,
      ...blobKeys.renderPackage(id, renderPackage.treeHash),
    });
    const areScheduled = ({ id }: { id: string }) => {
      const { renderIndexKey, renderPackKey } = packageOf({ id });
      return Promise.all([renderIndexKey, renderPackKey].map(isScheduled));
    };
    /** Begins another commit of the same tree. */
    const beginTwin = async ({ workspace }: TestDocument) => {
      const { sql } = database();
      const files = [createFile()];
      const deploy = await createTestDeploy(sql, workspace);
      const uploadSessionId = await createTestSession(sql, deploy, files);
      await beginTestCommit(sql, workspace, uploadSessionId, commitBodyOf(files));
      return { ...deploy, uploadSessionId };
    };
    const publishTwin = (uploadSessionId: string, document: TestDocument) =>
      publishVersion(database().sql, plans, {
        uploadSessionId,
        renderPackage: packageOf(document.workspace),
        now: noon,
      });

    it('deletes a pack whose versions are purged together', async () => {
      const { sql } = database();
      const document = await createDocument(sql);
      const twin = await beginTwin(document);
      await publishTwin(twin.uploadSessionId, document);
      for (const { deployId } of [document, twin])
        await deleteDeploy(sql, document.workspace.id, deployId, noon);
      await run(noon);
      expect(await areScheduled(document.workspace)).to.deep.equal([true, true]);
    });

    it('schedules the deletion of a pack until it is published, and never of one that a version needs', async () => {
      const { sql } = database();
      const document = await createDocument(sql);
      const { workspace } = document;
      const { uploadSessionId } = await beginTwin(document);
      const { treeHash, renderIndexKey, renderPackKey } = packageOf(workspace);
      const keys = [renderIndexKey, renderPackKey];
      const pack = { workspaceId: workspace.id, treeHash, keys, now: noon };
      await scheduleUnpublishedPackDeletion(sql, pack);
      expect(await areScheduled(workspace)).to.deep.equal([false, false]);
      await sql`
        update deploy_versions set status = 'deleted', purged_at = 1 where id = ${document.deployVersionId}`;
      await scheduleUnpublishedPackDeletion(sql, pack);
      expect(await areScheduled(workspace)).to.deep.equal([true, true]);
      await publishTwin(uploadSessionId, document);
      expect(await areScheduled(workspace)).to.deep.equal([false, false]);
    });

    it('keeps a pack that is published again while its deleted version is purged', async () => {
      const { sql } = database();
      const document = await createDocument(sql);
      await deleteDeploy(sql, document.workspace.id, document.deployId, noon);
      const release = Promise.withResolvers<void>();
      const holding = sql.begin(async (tx) => {
        // Makes the purge wait when it deletes the files.
        await tx`select from deploy_version_files where deploy_version_id = ${document.deployVersionId} for update`;
        await release.promise;
      });
      const running = run(noon);
      await poll('the purge to wait', async () => {
        const waiting = await sql`
          select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
            and query like '%delete from deploy_version_files%'`;
        return waiting.length > 0;
      });
      const { uploadSessionId } = await beginTwin(document);
      const publishing = publishTwin(uploadSessionId, document);
      release.resolve();
      await Promise.all([holding, running, publishing]);
      expect(await areScheduled(document.workspace)).to.deep.equal([false, false]);
    });
  });

  it('deletes transient outputs that are due, and records the reason', async () => {
    const { sql } = database();
    const document = await createDocument(sql);
    const { jobId } = await createJobIn(sql, document, 'succeeded');
    const output = async () =>
      (
        await sql<{ state: string; deleteReason: string | null }[]>`
          select state, delete_reason from render_outputs where job_id = ${jobId}`
      )[0];
    await run(noon + dayMs);
    expect(await output()).to.include({ state: 'available' });
    await run(noon + dayMs + hourMs);
    expect(await output()).to.include({ state: 'deleted', deleteReason: 'retention' });
  });

  it('deletes the blobs of lost attempts when they can no longer write', async () => {
    const { sql } = database();
    const document = await createDocument(sql);
    const { jobId, workspaceId } = await createJobIn(sql, document, 'failed');
    const stray = blobKeys.output(workspaceId, jobId, 1);
    await write(stray);
    await run(noon + minuteMs);
    expect(await blobs.exists(stray)).to.equal(true);
    await run(noon + hourMs);
    expect(await blobs.exists(stray)).to.equal(false);
  });

  it('deletes Idempotency-Keys after 24 hours', async () => {
    const { sql } = database();
    const document = await createDocument(sql);
    await accept(sql, document, { key: 'old' });
    await run(noon + dayMs - 1);
    const known = () =>
      sql`select 1 from idempotency_keys where workspace_id = ${document.workspace.id}`;
    expect(await known()).to.have.lengthOf(1);
    await run(noon + dayMs);
    expect(await known()).to.have.lengthOf(0);
  });

  describe('of temporary deploys', () => {
    const createTemporary = async () => {
      const { sql } = database();
      const workspace = await createTestWorkspace(sql);
      const deploy = await createTestDeploy(sql, workspace);
      await sql`update deploys set temporary = true where id = ${deploy.deployId}`;
      return deploy;
    };
    const commitAt = async (deploy: TestDeploy, now: number) => {
      const { sql } = database();
      const files = [createFile()];
      const uploadSessionId = await createTestSession(sql, deploy, files, { now });
      await beginTestCommit(sql, deploy.workspace, uploadSessionId, commitBodyOf(files), { now });
      await publishVersion(sql, plans, { uploadSessionId, renderPackage, now });
    };
    const isDeletedAt = async ({ deployId }: TestDeploy, now: number) => {
      await run(now);
      const rows = await database()
        .sql`select 1 from deploys where id = ${deployId} and deleted_at is not null`;
      return rows.length === 1;
    };

    it('deletes one an hour after its last commit, however long the upload took', async () => {
      const deploy = await createTemporary();
      await commitAt(deploy, noon + 50 * minuteMs);
      expect(await isDeletedAt(deploy, noon + hourMs + minuteMs)).to.equal(false);
      await commitAt(deploy, noon + 90 * minuteMs);
      const end = noon + 90 * minuteMs + hourMs;
      expect(await isDeletedAt(deploy, end - 1)).to.equal(false);
      expect(await isDeletedAt(deploy, end)).to.equal(true);
    });

    it('keeps one while one of its sessions can still be committed', async () => {
      const { sql } = database();
      const deploy = await createTemporary();
      const files = [createFile()];
      const later = noon + 30 * minuteMs;
      const session = await createTestSession(sql, deploy, files, { now: later });
      expect(await isDeletedAt(deploy, later + hourMs - 1), 'open').to.equal(false);
      await beginTestCommit(sql, deploy.workspace, session, commitBodyOf(files), { now: later });
      expect(await isDeletedAt(deploy, later + dayMs), 'committing').to.equal(false);
      await sql`update upload_sessions set status = 'expired' where id = ${session}`;
      expect(await isDeletedAt(deploy, later + dayMs), 'expired').to.equal(true);
    });

    it('keeps one with a job until the end of the job deletes it', async () => {
      const { sql } = database();
      const document = await createDocument(sql);
      await sql`update deploys set temporary = true where id = ${document.deployId}`;
      const job = await createJobIn(sql, document, 'rendering');
      expect(await codeOf(accept(sql, document)), 'one job only').to.equal('deploy_type_conflict');
      expect(await isDeletedAt(document, noon + dayMs)).to.equal(false);
      await succeed(sql, job);
      expect(await isDeletedAt(document, noon)).to.equal(true);
    });
  });

  describe('of blobs', () => {
    it('keeps one that is written again before its deletion', async () => {
      const { sql } = database();
      const key = `ws_test/blobs/${randomUUID()}`;
      await write(key);
      await scheduleBlobDeletions(sql, [key], noon);
      await cancelBlobDeletion(sql, key, noon);
      expect(await isScheduled(key)).to.equal(false);
      await run(noon);
      expect(await blobs.exists(key)).to.equal(true);
    });

    it('refuses a write while the deletion is running', async () => {
      const { sql } = database();
      const key = `ws_test/blobs/${randomUUID()}`;
      await scheduleBlobDeletions(sql, [key], noon);
      await sql`update blob_deletions set leased_until = ${noon + minuteMs} where blob_key = ${key}`;
      expect(await codeOf(cancelBlobDeletion(sql, key, noon))).to.equal('storage_unavailable');
    });

    it('keeps the deletion scheduled while the storage is down', async () => {
      const { sql } = database();
      const key = `ws_test/blobs/${randomUUID()}`;
      await scheduleBlobDeletions(sql, [key], noon);
      const broken = { ...blobs, delete: () => Promise.reject(new Error('down')) };
      const deleting = deleteScheduledBlobs(sql, broken, { now: noon, limit: 10, blobKeys: [key] });
      await deleting.catch(() => {});
      expect(await isScheduled(key)).to.equal(true);
      // Simulates the end of the lease.
      await sql`update blob_deletions set leased_until = 0 where blob_key = ${key}`;
      await run(noon + 2 * minuteMs);
      expect(await isScheduled(key)).to.equal(false);
    });
  });
});
