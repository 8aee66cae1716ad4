import { expect } from 'chai';
import { codedFailure } from '../../activities/failures.ts';
import { createWorkspace } from '../../store/workspaces/workspaces.ts';
import { fetchHistory, historyBytes } from './histories.ts';
import { type Rig, startRig } from './workflow-fixture.ts';

describe('the workflow of a commit', () => {
  let rig: Rig;
  /** Answers of `publishVersion` that get lost on their way. */
  let answersToLose = 0;
  let refuses = false;

  before(async () => {
    rig = await startRig({
      control: ({ publishVersion }) => ({
        async publishVersion(input) {
          if (refuses) throw codedFailure('storage_limit_exceeded');
          const id = await publishVersion(input);
          if (answersToLose-- > 0) throw new Error('The answer was lost.');
          return id;
        },
      }),
    });
  });
  after(() => rig[Symbol.asyncDispose]());

  it('publishes a version', async () => {
    const commit = await begin('published');
    expect(await rig.closed(commit)).to.equal('COMPLETED');
    expect(await sessionOf(commit)).to.include({ status: 'committed', commitError: null });
    expect(await versionsOf('published')).to.eql([{ versionNo: 1, status: 'ready' }]);
  });

  it('opens the session again, with the code, when a file is missing', async () => {
    const commit = await begin('incomplete', { lost: true });
    expect(await rig.closed(commit)).to.equal('FAILED');
    const { status, commitError } = await sessionOf(commit);
    expect(status).to.equal('open');
    expect(commitError).to.include({ code: 'upload_incomplete' });
    expect(await versionsOf('incomplete')).to.have.lengthOf(0);
  });

  it('publishes one version, however often it is asked to', async () => {
    answersToLose = 2;
    const commit = await begin('once');
    expect(await rig.closed(commit)).to.equal('COMPLETED');
    expect(answersToLose).to.be.lessThan(1);
    expect(await versionsOf('once')).to.eql([{ versionNo: 1, status: 'ready' }]);
  });

  it('publishes one version when its workflow is lost and started again', async () => {
    const commit = await begin('again');
    await rig.closed(commit);
    await rig.reconcile();
    expect(await versionsOf('again')).to.eql([{ versionNo: 1, status: 'ready' }]);
  });

  it('opens the session again when an operator ends the workflow', async () => {
    const commit = await begin('ended', { lost: true });
    await rig.closed(commit);
    await rig.store.sql`
      update upload_sessions set status = 'committing' where id = ${commit.uploadSessionId}`;
    await rig.reconcile();
    const { status, commitError } = await sessionOf(commit);
    expect(status).to.equal('open');
    expect(commitError).to.include({ code: 'service_unavailable' });
  });

  it('owes the pack of a commit that is refused, however often, until one is published', async () => {
    const workspace = { name: 'refused', plan: 'self_hosted', now: Date.now() };
    const workspaceId = await createWorkspace(rig.store.sql, workspace);
    const commit = (slug: string) => rig.commit({ workspaceId, slug, page: '<h1>The same</h1>' });
    const owed = async () => {
      const [row] = await rig.store.sql<{ count: number }[]>`
        select count(*)::int as count from blob_deletions
        where blob_key like ${`${workspaceId}/packs/%`}`;
      return row?.count;
    };
    refuses = true;
    for (const slug of ['refused', 'refused-again']) {
      expect(await rig.closed(await commit(slug))).to.equal('FAILED');
      expect(await owed(), slug).to.equal(2);
    }
    refuses = false;
    expect(await rig.closed(await commit('accepted'))).to.equal('COMPLETED');
    expect(await owed()).to.equal(0);
  });

  it('keeps the names of the files out of the history', async () => {
    const commit = await begin('private');
    await rig.closed(commit);
    const history = await fetchHistory(rig.temporal, commit.workflowId);
    expect(historyBytes(history).includes('index.html')).to.equal(false);
  });

  const begin = async (slug: string, options: { lost?: boolean } = {}) => {
    const workspace = { name: slug, plan: 'self_hosted', now: Date.now() };
    const workspaceId = await createWorkspace(rig.store.sql, workspace);
    return rig.commit({ workspaceId, slug, ...options });
  };

  const sessionOf = async ({ uploadSessionId }: { uploadSessionId: string }) => {
    const [row] = await rig.store.sql<{ status: string; commitError: object | null }[]>`
      select status, commit_error from upload_sessions where id = ${uploadSessionId}`;
    if (!row) throw new Error(`No session ${uploadSessionId}.`);
    return row;
  };

  const versionsOf = async (slug: string) => {
    const rows = await rig.store.sql<{ versionNo: number; status: string }[]>`
      select version_no, v.status from deploy_versions v join deploys d on d.id = v.deploy_id
      where d.slug = ${slug} order by version_no`;
    return [...rows];
  };
});
