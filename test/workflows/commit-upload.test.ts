import { expect } from 'chai';
import { codedFailure } from '../../activities/failures.ts';
import { createWorkspace } from '../../store/workspaces/workspaces.ts';
import { fetchHistory, historyBytes } from './histories.ts';
import { useInProcessService } from './workflow-fixture.ts';

describe('the workflow of a commit', () => {
  /** How many more times `publishVersion` publishes and then fails. */
  let answersToLose = 0;
  let refuses = false;

  const service = useInProcessService({
    control: ({ publishVersion }) => ({
      async publishVersion(input) {
        if (refuses) throw codedFailure('storage_limit_exceeded');
        const id = await publishVersion(input);
        if (answersToLose-- > 0) throw new Error('The answer was lost.');
        return id;
      },
    }),
  });

  it('publishes a version', async () => {
    const commit = await startCommit('published');
    expect(await service().waitForClose(commit)).to.equal('COMPLETED');
    expect(await sessionOf(commit)).to.include({ status: 'committed', commitError: null });
    expect(await versionsOf('published')).to.eql([{ versionNo: 1, status: 'ready' }]);
  });

  it('opens the session again with the error code when a file is missing', async () => {
    const commit = await startCommit('incomplete', { lost: true });
    expect(await service().waitForClose(commit)).to.equal('FAILED');
    const { status, commitError } = await sessionOf(commit);
    expect(status).to.equal('open');
    expect(commitError).to.include({ code: 'upload_incomplete' });
    expect(await versionsOf('incomplete')).to.have.lengthOf(0);
  });

  it('publishes one version when the activity is tried several times', async () => {
    answersToLose = 2;
    const commit = await startCommit('once');
    expect(await service().waitForClose(commit)).to.equal('COMPLETED');
    expect(answersToLose).to.be.lessThan(1);
    expect(await versionsOf('once')).to.eql([{ versionNo: 1, status: 'ready' }]);
  });

  it('publishes no second version when reconciliation runs after the commit', async () => {
    const commit = await startCommit('again');
    await service().waitForClose(commit);
    await service().reconcile();
    expect(await versionsOf('again')).to.eql([{ versionNo: 1, status: 'ready' }]);
  });

  it('opens the session again when an operator ends the workflow', async () => {
    const commit = await startCommit('ended', { lost: true });
    await service().waitForClose(commit);
    await service().store.sql`
      update upload_sessions set status = 'committing' where id = ${commit.uploadSessionId}`;
    await service().reconcile();
    const { status, commitError } = await sessionOf(commit);
    expect(status).to.equal('open');
    expect(commitError).to.include({ code: 'service_unavailable' });
  });

  it('schedules the deletion of the pack until a commit with it is published', async () => {
    const workspace = { name: 'refused', plan: 'self_hosted', now: Date.now() };
    const workspaceId = await createWorkspace(service().store.sql, workspace);
    const commit = (slug: string) =>
      service().startCommit({ workspaceId, slug, page: '<h1>The same</h1>' });
    const scheduledDeletions = async () => {
      const [row] = await service().store.sql<{ count: number }[]>`
        select count(*)::int as count from blob_deletions
        where blob_key like ${`${workspaceId}/packs/%`}`;
      return row?.count;
    };
    refuses = true;
    for (const slug of ['refused', 'refused-again']) {
      expect(await service().waitForClose(await commit(slug))).to.equal('FAILED');
      expect(await scheduledDeletions(), slug).to.equal(2);
    }
    refuses = false;
    expect(await service().waitForClose(await commit('accepted'))).to.equal('COMPLETED');
    expect(await scheduledDeletions()).to.equal(0);
  });

  it('does not store file names in the history', async () => {
    const commit = await startCommit('private');
    await service().waitForClose(commit);
    const history = await fetchHistory(service().temporal, commit.workflowId);
    expect(historyBytes(history).includes('index.html')).to.equal(false);
  });

  const startCommit = async (slug: string, options: { lost?: boolean } = {}) => {
    const workspace = { name: slug, plan: 'self_hosted', now: Date.now() };
    const workspaceId = await createWorkspace(service().store.sql, workspace);
    return service().startCommit({ workspaceId, slug, ...options });
  };

  const sessionOf = async ({ uploadSessionId }: { uploadSessionId: string }) => {
    const [row] = await service().store.sql<{ status: string; commitError: object | null }[]>`
      select status, commit_error from upload_sessions where id = ${uploadSessionId}`;
    if (!row) throw new Error(`No session ${uploadSessionId}.`);
    return row;
  };

  const versionsOf = async (slug: string) => {
    const rows = await service().store.sql<{ versionNo: number; status: string }[]>`
      select version_no, v.status from deploy_versions v join deploys d on d.id = v.deploy_id
      where d.slug = ${slug} order by version_no`;
    return [...rows];
  };
});
