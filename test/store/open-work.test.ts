import { expect } from 'chai';
import { workflowIds } from '../../contracts/processes/workflows.ts';
import { getJobSnapshot } from '../../store/jobs/render-jobs.ts';
import { listOpenWork } from '../../store/open-work.ts';
import {
  accept,
  beginTestCommit,
  commitBodyOf,
  createDocument,
  createFile,
  createTestDeploy,
  createTestSession,
  createTestWorkspace,
  noon,
  plans,
  publish,
  useDatabase,
} from './store-fixture.ts';

describe('open work, for reconciliation', () => {
  const database = useDatabase();
  const list = async (before = noon + 1, pageSize = 100) => {
    const input = { plans, retryDelaysMs: [5_000], before, pageSize };
    return (await Array.fromAsync(listOpenWork(database().sql, input))).flat();
  };
  const findJob = async (jobId: string) =>
    (await list()).find(({ workflowId }) => workflowId === workflowIds.renderJob(jobId));

  it('excludes work with a message in the outbox, and younger work', async () => {
    const { sql } = database();
    const { job } = await accept(sql, await createDocument(sql));
    expect(await findJob(job.id)).to.equal(undefined);
    await sql`delete from outbox`;
    expect(await findJob(job.id)).not.to.equal(undefined);
    expect(await list(noon)).to.deep.equal([]);
  });

  it('is listed page by page, each item once', async () => {
    const { sql } = database();
    const document = await createDocument(sql);
    for (let count = 0; count < 5; count += 1) await accept(sql, document);
    const removed = await sql<{ workflowId: string }[]>`
      delete from outbox where id < (select max(id) from outbox) returning workflow_id`;
    const jobs = removed.filter(({ workflowId }) => workflowId.startsWith('render-job/'));
    expect(jobs).to.have.lengthOf(4);
    const whole = (await list()).map(({ workflowId }) => workflowId);
    expect(whole).to.include.members(jobs.map(({ workflowId }) => workflowId));
    expect((await list(noon + 1, 2)).map(({ workflowId }) => workflowId)).to.deep.equal(whole);
  });

  it('is restarted with the same message', async () => {
    const { sql } = database();
    const { job } = await accept(sql, await createDocument(sql));
    const readMessages = () => sql`
      select message from outbox where workflow_id = ${workflowIds.renderJob(job.id)}`;
    const first = await readMessages();
    await sql`delete from outbox`;
    await (await findJob(job.id))?.restart();
    expect(await readMessages()).to.deep.equal(first);
  });

  it('is marked as failed if its workflow was ended', async () => {
    const { sql } = database();
    const { job } = await accept(sql, await createDocument(sql));
    await sql`delete from outbox`;
    await (await findJob(job.id))?.fail(noon);
    expect(await getJobSnapshot(sql, job.id)).to.include({
      status: 'failed',
      errorCode: 'render_failed',
    });
  });

  it('includes commits, which are restarted or open their session again', async () => {
    const { sql } = database();
    const workspace = await createTestWorkspace(sql);
    const deploy = await createTestDeploy(sql, workspace);
    const files = [createFile()];
    const uploadSessionId = await createTestSession(sql, deploy, files);
    const commitNo = await beginTestCommit(sql, workspace, uploadSessionId, commitBodyOf(files));
    const workflowId = workflowIds.commitUpload(uploadSessionId, commitNo);
    const readMessages = () => sql`select message from outbox where workflow_id = ${workflowId}`;
    const first = await readMessages();
    const find = async () => (await list()).find((work) => work.workflowId === workflowId);
    await sql`delete from outbox`;
    await (await find())?.restart();
    expect(await readMessages()).to.deep.equal(first);
    await sql`delete from outbox`;
    await (await find())?.fail(noon);
    const again = await beginTestCommit(sql, workspace, uploadSessionId, commitBodyOf(files));
    expect(again).to.equal(commitNo + 1);
    await publish(sql, uploadSessionId);
    expect(await find()).to.equal(undefined);
  });
});
