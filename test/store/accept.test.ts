import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { workflowIds } from '../../contracts/processes/workflows.ts';
import { renderJobSchema } from '../../contracts/rest/schemas/render-jobs.ts';
import { setAlias } from '../../store/deploys/aliases.ts';
import { createDeploy, deleteDeploy, updateDeploy } from '../../store/deploys/deploys.ts';
import { getRenderJob } from '../../store/jobs/render-jobs.ts';
import { poll } from '../support/poll.ts';
import {
  accept,
  beginTestCommit,
  codeOf,
  commitBodyOf,
  createDocument,
  createFile,
  createTestDeploy,
  createTestSession,
  createTestWorkspace,
  inTransaction,
  noon,
  publish,
  snapshot,
  type TestDocument,
  useDatabase,
} from './store-fixture.ts';

describe('accepting a job', () => {
  const database = useDatabase();
  let document: TestDocument;
  before(async () => {
    document = await createDocument(database().sql);
  });

  it('uses the version before the newest one if the newest is deleted meanwhile', async () => {
    const { sql } = database();
    const { workspace, deployId, deployVersionId } = await createDocument(sql);
    const files = [createFile()];
    const session = await createTestSession(sql, { workspace, deployId }, files);
    await beginTestCommit(sql, workspace, session, commitBodyOf(files));
    const newest = await publish(sql, session);
    const { accepting } = await inTransaction(sql, async (tx) => {
      await tx`update deploy_versions set status = 'deleted', deleted_at = ${noon} where id = ${newest}`;
      const accepting = accept(sql, { workspace, deployId });
      await poll('the accept to wait', async () => {
        const waiting = await sql`
          select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
            and query like '%for share%'`;
        return waiting.length > 0;
      });
      return { accepting };
    });
    expect((await accepting).job.deployVersionId).to.equal(deployVersionId);
  });

  it('writes the job, its payload, its admission and the start of its workflow together', async () => {
    const { sql } = database();
    const { job } = await accept(sql, document, {
      body: { payload: { b: 1, a: [] }, businessKey: 'key' },
      key: 'together',
    });
    expect(renderJobSchema.parse(job)).to.include({
      status: 'queued',
      attempt: 0,
      deployVersionId: document.deployVersionId,
      deployVersionNo: 1,
      businessKey: 'key',
      outputMode: 'transient',
      requestedAt: noon,
    });
    const [payload] = await sql<{ mime: string; bytes: Buffer }[]>`
      select mime, bytes from render_job_payloads where job_id = ${job.id}`;
    expect(payload?.bytes.toString()).to.equal('{"a":[],"b":1}');
    expect(job.payloadHash).to.equal(createHash('sha256').update('{"a":[],"b":1}').digest('hex'));
    const enqueued = await sql<{ message: { kind: string; input: object } }[]>`
      select message from outbox where workflow_id = ${workflowIds.renderJob(job.id)}`;
    expect(enqueued).to.have.lengthOf(1);
    expect(enqueued[0]?.message).to.deep.include({ kind: 'start', workflowType: 'renderJob' });
    expect(enqueued[0]?.message.input).to.include({ jobId: job.id, admitted: true });
    expect(JSON.stringify(enqueued), 'no content of the customer').not.to.include('"b"');
  });

  it('leaves nothing behind when its transaction fails', async () => {
    const { sql } = database();
    const before = await snapshot(sql, document.workspace.id);
    const failure = new Error('the last statement failed');
    const accepting = accept(sql, document, {
      key: 'rolled back',
      afterWrite: () => Promise.reject(failure),
    });
    expect(await accepting.catch((error) => error)).to.equal(failure);
    expect(await snapshot(sql, document.workspace.id)).to.deep.equal(before);
  });

  it('uses the id of the job as its business key if the request has none', async () => {
    const { job } = await accept(database().sql, document);
    expect(job.businessKey).to.equal(job.id);
  });

  it('resolves latest, an alias and a version when the job is created, not later', async () => {
    const { sql } = database();
    const { workspace, deployId, deployVersionId: first } = await createDocument(sql);
    const pointer = { workspaceId: workspace.id, deployId, alias: 'production', now: noon };
    await setAlias(sql, { ...pointer, deployVersionId: first });
    const before = await accept(sql, { workspace, deployId });

    const files = [createFile()];
    const uploadSessionId = await createTestSession(sql, { workspace, deployId }, files);
    await beginTestCommit(sql, workspace, uploadSessionId, commitBodyOf(files));
    const second = await publish(sql, uploadSessionId);

    const versionOf = async (deployVersionId: string) =>
      (await accept(sql, { workspace, deployId }, { body: { deployVersionId } })).job
        .deployVersionId;
    expect(await versionOf('latest')).to.equal(second);
    expect(await versionOf('production')).to.equal(first);
    expect(await versionOf(first)).to.equal(first);
    await setAlias(sql, { ...pointer, deployVersionId: 'latest' });
    expect(await versionOf('production')).to.equal(second);
    const unchanged = await getRenderJob(sql, workspace.id, before.job.id);
    expect(unchanged.deployVersionId).to.equal(first);
  });

  it('uses the current target of a url deploy, with one id for each target', async () => {
    const { sql } = database();
    const workspace = await createTestWorkspace(sql);
    const { id: deployId } = await createDeploy(sql, {
      workspaceId: workspace.id,
      slug: 'hosted',
      name: 'Hosted',
      type: 'url',
      targetUrl: 'http://example.com/1',
      now: noon,
    });
    const deploy = { workspace, deployId };
    const jobs = await Promise.all(Array.from({ length: 10 }, () => accept(sql, deploy)));
    await updateDeploy(sql, workspace.id, deployId, { targetUrl: 'http://example.com/2' });
    const { job: later } = await accept(sql, deploy);
    const [first, ...others] = new Set(jobs.map(({ job }) => job.deployVersionId));
    expect(first).to.match(/^ver_/);
    expect(others).to.deep.equal([]);
    expect(later.deployVersionId).not.to.equal(first);
    expect(later).not.to.have.any.keys(
      'deployVersionNo',
      'deployVersionRoute',
      'deployVersionTitle',
    );
    const targets = await sql<{ targetUrl: string }[]>`
      select distinct target_url from render_jobs where deploy_id = ${deployId} order by 1`;
    expect(targets.map(({ targetUrl }) => targetUrl)).to.deep.equal([
      'http://example.com/1',
      'http://example.com/2',
    ]);
    expect(await codeOf(accept(sql, deploy, { body: { deployVersionId: first ?? '' } }))).to.equal(
      'deploy_type_conflict',
    );
  });

  it('requires a deploy of this workspace that is not deleted, and a version or an alias of this deploy', async () => {
    const { sql } = database();
    const other = await createDocument(sql);
    const empty = await createTestDeploy(sql, document.workspace);
    const foreign = { workspace: other.workspace, deployId: document.deployId };
    const gone = await createDocument(sql);
    await deleteDeploy(sql, gone.workspace.id, gone.deployId, noon);
    const refusals: [Parameters<typeof accept>[1], string, string][] = [
      [empty, 'latest', 'deploy_version_not_found'],
      [foreign, 'latest', 'deploy_not_found'],
      [gone, 'latest', 'deploy_not_found'],
      [document, other.deployVersionId, 'deploy_version_not_found'],
      [document, 'staging', 'alias_not_found'],
    ];
    for (const [deploy, deployVersionId, code] of refusals)
      expect(await codeOf(accept(sql, deploy, { body: { deployVersionId } }))).to.equal(code);
  });
});
