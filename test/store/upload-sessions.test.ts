import { expect } from 'chai';
import { maxSingleFileBytes, uploadCommitReplayMs } from '../../contracts/limits.ts';
import { workflowIds } from '../../contracts/processes/workflows.ts';
import { getCommitEntries, reopenSession } from '../../store/deploys/commits.ts';
import { deleteDeploy } from '../../store/deploys/deploys.ts';
import { publishVersion } from '../../store/deploys/publish-version.ts';
import { getListedBlob, listMissingBlobs } from '../../store/deploys/session-files.ts';
import {
  assertOpen,
  expireUploadSessions,
  getUploadSession,
} from '../../store/deploys/upload-sessions.ts';
import {
  beginTestCommit,
  codeOf,
  commitBodyOf,
  createFile,
  createTestDeploy,
  createTestSession,
  createTestWorkspace,
  noon,
  plans,
  policyOf,
  publish,
  renderPackage,
  type TestDeploy,
  useDatabase,
} from './store-fixture.ts';

const hourMs = 3_600_000;

describe('upload sessions', () => {
  const database = useDatabase();
  let deploy: TestDeploy;
  before(async () => {
    const { sql } = database();
    deploy = await createTestDeploy(sql, await createTestWorkspace(sql));
  });

  const begin = (uploadSessionId: string, body: ReturnType<typeof commitBodyOf>, now = noon) =>
    beginTestCommit(database().sql, deploy.workspace, uploadSessionId, body, { now });
  const versionsOf = ({ deployId }: TestDeploy) => database().sql<{ versionNo: number }[]>`
    select version_no from deploy_versions where deploy_id = ${deployId} order by version_no`;
  const stateOf = (uploadSessionId: string) =>
    getUploadSession(database().sql, deploy.workspace.id, uploadSessionId);

  describe('list missing files', () => {
    it('with each hash once, and only those that the workspace does not have', async () => {
      const { sql } = database();
      const [here, missing] = [createFile('here'), createFile('missing')];
      await createTestSession(sql, deploy, [here]);
      const uploadSessionId = await createTestSession(
        sql,
        deploy,
        [here, missing, { ...missing, path: 'copy' }],
        { stored: false },
      );
      expect(await listMissingBlobs(sql, uploadSessionId)).to.deep.equal([
        { sha256: missing.sha256 },
      ]);
      expect(await getListedBlob(sql, uploadSessionId, here.sha256)).to.include({ present: true });
      expect(await getListedBlob(sql, uploadSessionId, missing.sha256)).to.include({
        present: false,
      });
      expect(await codeOf(getListedBlob(sql, uploadSessionId, createFile().sha256))).to.equal(
        'blob_not_in_session',
      );
    });

    it('even if another workspace has them', async () => {
      const { sql } = database();
      const file = createFile();
      await createTestSession(sql, deploy, [file]);
      const other = await createTestDeploy(sql, await createTestWorkspace(sql));
      const uploadSessionId = await createTestSession(sql, other, [file], { stored: false });
      expect(await listMissingBlobs(sql, uploadSessionId)).to.deep.equal([{ sha256: file.sha256 }]);
    });
  });

  describe('are limited by the plan', () => {
    const { maxFilesPerDeployCommit, maxBytesPerDeployCommit } = policyOf('blank');
    const tooMuch = {
      files: Array.from({ length: maxFilesPerDeployCommit + 1 }, (_, place) =>
        createFile(`${place}`),
      ),
      bytes: Array.from({ length: 6 }, (_, place) => ({
        ...createFile(`${place}`),
        size: Math.ceil(maxBytesPerDeployCommit / 6) + 1,
      })),
      'bytes of one file': [{ ...createFile(), size: maxSingleFileBytes + 1 }],
    };
    for (const [what, files] of Object.entries(tooMuch))
      it(`in ${what}`, async () => {
        const { sql } = database();
        const blank = await createTestDeploy(sql, await createTestWorkspace(sql, 'blank'));
        const creating = createTestSession(sql, blank, files, { stored: false });
        expect(await codeOf(creating)).to.equal('upload_session_policy_limit_exceeded');
      });
  });

  describe('start a commit', () => {
    it('once: the same body joins it, and another body is refused while it runs', async () => {
      const { sql } = database();
      const files = [createFile('b'), createFile('a')];
      const uploadSessionId = await createTestSession(sql, deploy, files);
      const body = commitBodyOf(files);
      const numbers = await Promise.all(
        Array.from({ length: 10 }, () => begin(uploadSessionId, body)),
      );
      expect(numbers).to.deep.equal(Array(10).fill(1));
      expect(await codeOf(begin(uploadSessionId, commitBodyOf(files, 'Other')))).to.equal(
        'commit_in_progress',
      );
      const enqueued = await sql`
        select from outbox where workflow_id = ${workflowIds.commitUpload(uploadSessionId, 1)}`;
      expect(enqueued).to.have.lengthOf(1);
      expect(await getCommitEntries(sql, uploadSessionId)).to.deep.equal(body.entries);
    });

    it('only until they expire, to the millisecond', async () => {
      const files = [createFile()];
      const uploadSessionId = await createTestSession(database().sql, deploy, files);
      const body = commitBodyOf(files);
      expect(await codeOf(begin(uploadSessionId, body, noon + hourMs))).to.equal(
        'upload_session_expired',
      );
      expect(await begin(uploadSessionId, body, noon + hourMs - 1)).to.equal(1);
    });

    const listed = createFile();
    const notListed = createFile('other.html');
    const refusals: [string, ReturnType<typeof commitBodyOf>, boolean, string][] = [
      ['with a file that was not uploaded', commitBodyOf([listed]), false, 'upload_incomplete'],
      ['with a file that it does not list', commitBodyOf([notListed]), true, 'blob_not_in_session'],
      [
        'with another size than it lists',
        commitBodyOf([{ ...listed, size: listed.size + 1 }]),
        true,
        'invalid_request',
      ],
    ];
    for (const [what, body, stored, code] of refusals)
      it(`not ${what}, and then stay open`, async () => {
        const { sql } = database();
        // A new workspace, because the files of other tests would count as uploaded.
        const workspace = await createTestWorkspace(sql);
        const own = await createTestDeploy(sql, workspace);
        const uploadSessionId = await createTestSession(sql, own, [listed], { stored });
        expect(await codeOf(beginTestCommit(sql, workspace, uploadSessionId, body))).to.equal(code);
        const state = await getUploadSession(sql, workspace.id, uploadSessionId);
        expect(state).to.include({ status: 'open', commitNo: 0 });
        const enqueued = await sql`
          select from outbox where workflow_id = ${workflowIds.commitUpload(uploadSessionId, 1)}`;
        expect(enqueued).to.deep.equal([]);
      });

    it('not with a file that was not uploaded, and then their lifetime starts again', async () => {
      const { sql } = database();
      const file = createFile();
      const uploadSessionId = await createTestSession(sql, deploy, [file], { stored: false });
      const lastMoment = noon + hourMs - 1;
      expect(await codeOf(begin(uploadSessionId, commitBodyOf([file]), lastMoment))).to.equal(
        'upload_incomplete',
      );
      expect(await stateOf(uploadSessionId)).to.include({ expiresAt: lastMoment + hourMs });
      const tooLate = lastMoment + hourMs;
      expect(await codeOf(begin(uploadSessionId, commitBodyOf([file]), tooLate))).to.equal(
        'upload_session_expired',
      );
      expect(await stateOf(uploadSessionId), 'expired stays').to.include({ expiresAt: tooLate });
    });

    it('not if the deploy was deleted', async () => {
      const { sql } = database();
      const own = await createTestDeploy(sql, deploy.workspace);
      const files = [createFile()];
      const uploadSessionId = await createTestSession(sql, own, files);
      await deleteDeploy(sql, deploy.workspace.id, own.deployId, noon);
      expect(await codeOf(begin(uploadSessionId, commitBodyOf(files)))).to.equal(
        'deploy_not_found',
      );
    });
  });

  describe('publish', () => {
    it('versions with numbers without gaps, even if many are published at once', async () => {
      const { sql } = database();
      const own = await createTestDeploy(sql, deploy.workspace);
      const sessions = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const files = [createFile()];
          const uploadSessionId = await createTestSession(sql, own, files);
          await begin(uploadSessionId, commitBodyOf(files));
          return uploadSessionId;
        }),
      );
      await Promise.all(sessions.map((uploadSessionId) => publish(sql, uploadSessionId)));
      const numbers = (await versionsOf(own)).map(({ versionNo }) => versionNo);
      expect(numbers).to.deep.equal(Array.from({ length: 20 }, (_, place) => place + 1));
    });

    it('one version, even if publishing is called many times at once', async () => {
      const { sql } = database();
      const own = await createTestDeploy(sql, deploy.workspace);
      const files = [createFile()];
      const uploadSessionId = await createTestSession(sql, own, files);
      await begin(uploadSessionId, commitBodyOf(files));
      const ids = await Promise.all(
        Array.from({ length: 10 }, () => publish(sql, uploadSessionId)),
      );
      expect(new Set(ids)).to.have.lengthOf(1);
      expect(await versionsOf(own)).to.have.lengthOf(1);
      expect(await publish(sql, uploadSessionId)).to.equal(ids[0]);
      expect(await stateOf(uploadSessionId)).to.include({
        status: 'committed',
        deployVersionId: ids[0],
      });
    });

    it('nothing and use no number if the deploy was deleted meanwhile', async () => {
      const { sql } = database();
      const own = await createTestDeploy(sql, deploy.workspace);
      const files = [createFile()];
      const uploadSessionId = await createTestSession(sql, own, files);
      await begin(uploadSessionId, commitBodyOf(files));
      await deleteDeploy(sql, deploy.workspace.id, own.deployId, noon);
      expect(await codeOf(publish(sql, uploadSessionId))).to.equal('deploy_not_found');
      expect(await versionsOf(own)).to.deep.equal([]);
      expect(await stateOf(uploadSessionId)).to.include({ status: 'committing' });
    });

    it('nothing of a commit that has ended, and do not change the next one', async () => {
      const { sql } = database();
      const files = [createFile()];
      const uploadSessionId = await createTestSession(sql, deploy, files);
      const first = await begin(uploadSessionId, commitBodyOf(files, 'First'));
      const error = { code: 'storage_limit_exceeded' as const, message: 'Full.' };
      await reopenSession(sql, { uploadSessionId, commitNo: first, error, now: noon });
      await begin(uploadSessionId, commitBodyOf(files, 'Second'));
      const late = publishVersion(sql, plans, {
        uploadSessionId,
        commitNo: first,
        renderPackage,
        now: noon,
      });
      expect(await codeOf(late)).to.equal('upload_session_closed');
      await reopenSession(sql, { uploadSessionId, commitNo: first, error, now: noon });
      const [session] = await sql`select status from upload_sessions where id = ${uploadSessionId}`;
      expect(session?.status).to.equal('committing');
      expect(await getCommitEntries(sql, uploadSessionId, first)).to.deep.equal([]);
    });

    it('and answer the same commit for a day, and refuse another one', async () => {
      const { sql } = database();
      const files = [createFile()];
      const uploadSessionId = await createTestSession(sql, deploy, files);
      await begin(uploadSessionId, commitBodyOf(files));
      await publish(sql, uploadSessionId);
      const [body, other] = [commitBodyOf(files), commitBodyOf(files, 'Other')];
      expect(await begin(uploadSessionId, body, noon + uploadCommitReplayMs - 1)).to.equal(1);
      expect(await codeOf(begin(uploadSessionId, body, noon + uploadCommitReplayMs))).to.equal(
        'upload_session_closed',
      );
      expect(await codeOf(begin(uploadSessionId, other))).to.equal('upload_session_closed');
    });
  });

  it('open again after a failed commit, and commit under a new number', async () => {
    const { sql } = database();
    const files = [createFile()];
    const uploadSessionId = await createTestSession(sql, deploy, files);
    await begin(uploadSessionId, commitBodyOf(files));
    const error = { code: 'upload_incomplete', message: 'A file is missing.' } as const;
    await reopenSession(sql, { uploadSessionId, error, now: noon });
    expect(await stateOf(uploadSessionId)).to.deep.include({ status: 'open', commitError: error });
    expect(await begin(uploadSessionId, commitBodyOf(files, 'Other'))).to.equal(2);
    expect((await stateOf(uploadSessionId)).commitError).to.equal(null);
    await publish(sql, uploadSessionId);
    await reopenSession(sql, { uploadSessionId, error, now: noon });
    expect(await stateOf(uploadSessionId), 'a version stays').to.include({ status: 'committed' });
  });

  it('get a new lifetime each time they open again, even if they would have expired meanwhile', async () => {
    const { sql } = database();
    const files = [createFile()];
    const uploadSessionId = await createTestSession(sql, deploy, files);
    const lastMoment = noon + hourMs - 1;
    const error = { code: 'storage_limit_exceeded', message: 'Full.' } as const;
    await begin(uploadSessionId, commitBodyOf(files), lastMoment);
    const expiryOf = async () => (await stateOf(uploadSessionId)).expiresAt;
    for (const reopenedAt of [noon + 2 * hourMs, noon + 2.5 * hourMs]) {
      expect(await codeOf(begin(uploadSessionId, commitBodyOf(files, 'x'), reopenedAt))).to.equal(
        'commit_in_progress',
      );
      await reopenSession(sql, { uploadSessionId, error, now: reopenedAt });
      expect(await expiryOf()).to.equal(reopenedAt + hourMs);
      await expireUploadSessions(sql, reopenedAt + hourMs - 1, 1_000);
      assertOpen(await stateOf(uploadSessionId), reopenedAt + hourMs - 1);
      await begin(uploadSessionId, commitBodyOf(files), reopenedAt + 1);
    }
    await publish(sql, uploadSessionId);
  });

  it('never answer that they have expired if they open again during other commits', async () => {
    const { sql } = database();
    const error = { code: 'storage_limit_exceeded', message: 'Full.' } as const;
    for (let race = 0; race < 100; race++) {
      const files = [createFile()];
      const body = commitBodyOf(files);
      const uploadSessionId = await createTestSession(sql, deploy, files);
      await begin(uploadSessionId, body);
      const [, ...commits] = await Promise.allSettled([
        reopenSession(sql, { uploadSessionId, error, now: noon }),
        ...Array.from({ length: 4 }, () => begin(uploadSessionId, body)),
      ]);
      // Calls before the session opened again joined the first commit, the others the second one.
      for (const commit of commits)
        expect(commit.status === 'fulfilled' ? commit.value : commit.reason).to.be.oneOf([1, 2]);
    }
  });
});
