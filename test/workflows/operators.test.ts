import { expect } from 'chai';
import { jobPage } from '../../contracts/processes/web-addresses.ts';
import { renderJobQuery } from '../../contracts/processes/workflows.ts';
import type { JobProgress } from '../../contracts/rest/schemas/job-progress.ts';
import { cancelRenderJob } from '../../store/jobs/render-job-transitions.ts';
import { listOpenWork } from '../../store/open-work.ts';
import { poll } from '../support/poll.ts';
import { type Job, plans, requestId, type Workspace } from './fixtures.ts';
import { publicUrl, type Rig, startRig } from './workflow-fixture.ts';

/** So long that a test sees a job wait for its retry, and nobody waits for it to end. */
const longRetryDelaysMs = [60_000];

describe('a render job that is canceled', () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig[Symbol.asyncDispose]());

  it('while it waits for a place: it is never rendered', async () => {
    const { first, second } = await fillCeiling(rig);
    await cancel(second.workspace, second.job);
    expect(await rig.closed(second.job)).to.equal('CANCELLED');
    rig.renderer.release(first.jobId);
    await rig.until(first, 'succeeded');
    expect(await rig.until(second.job, 'canceled')).to.include({ workflowAttempt: 0 });
  });

  it('while it waits for its retry: at once, and not after the delay', async () => {
    const job = await rig.post({
      steps: ['render_crashed', 'print'],
      retryDelaysMs: longRetryDelaysMs,
    });
    await rig.until(job, 'retry_scheduled');
    await cancel(rig.workspace, job);
    expect(await rig.closed(job)).to.equal('CANCELLED');
    expect(await rig.until(job, 'canceled')).to.include({ workflowAttempt: 1 });
  });

  it('in the Temporal UI while it renders: its print is aborted', async () => {
    const job = await rig.post({ steps: ['hold'] });
    const print = await poll('the print', () =>
      rig.renderer.prints.find(({ jobId }) => jobId === job.jobId),
    );
    await rig.temporal.workflow.getHandle(job.workflowId).cancel();
    await poll('the abort', () => print.signal.aborted || undefined);
    await rig.until(job, 'canceled');
    expect(await rig.closed(job)).to.equal('CANCELLED');
    const payloads = await rig.store
      .sql`select 1 from render_job_payloads where job_id = ${job.jobId}`;
    expect(payloads).to.have.lengthOf(0);
  });

  it('in the Temporal UI while it waits for a place: it frees none', async () => {
    const { first, second } = await fillCeiling(rig);
    await rig.temporal.workflow.getHandle(second.job.workflowId).cancel();
    await rig.until(second.job, 'canceled');
    const third = await rig.post({ workspace: second.workspace });
    expect(await waitsFor(third)).to.equal('admission');
    rig.renderer.release(first.jobId);
    await rig.until(third, 'succeeded');
  });

  it('closes its workflow as canceled also where the render finds out first', async () => {
    const job = await rig.post({
      also: async (tx) => {
        await tx`update render_jobs set status = 'canceled', finished_at = 1 where workspace_id = ${rig.workspace.id} and status = 'queued'`;
      },
    });
    await poll('the claim that finds it canceled', async () => {
      const { events } = await rig.temporal.workflow.getHandle(job.workflowId).fetchHistory();
      return events?.some((event) => event.activityTaskCompletedEventAttributes) || undefined;
    });
    await rig.temporal.workflow.getHandle(job.workflowId).cancel();
    expect(await rig.closed(job)).to.equal('CANCELLED');
    expect(rig.renderer.prints.some(({ jobId }) => jobId === job.jobId)).to.equal(false);
  });

  const cancel = async (workspace: Workspace, { jobId }: Job): Promise<void> => {
    const call = { jobId, workspaceId: workspace.id, now: Date.now() };
    await cancelRenderJob(rig.store.sql, plans, call);
    rig.relay.wake();
  };

  const waitsFor = ({ workflowId }: Job) =>
    poll('what it waits for', async () => {
      const handle = rig.temporal.workflow.getHandle(workflowId);
      return (await handle.query<JobProgress>(renderJobQuery)).waitingFor;
    });
});

describe('a render job whose workflow is gone', () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig[Symbol.asyncDispose]());

  it('terminated by an operator: it is settled as failed, and passes its place on', async () => {
    const { first, second } = await fillCeiling(rig);
    await rig.temporal.workflow.getHandle(first.workflowId).terminate('no longer wanted');
    const row = await reconciled(first, 'failed');
    expect(row).to.include({ errorCode: 'render_failed' });
    expect(row.errorMessage).to.match(/operator/);
    await rig.until(second.job, 'succeeded');
  });

  it('deleted while it rendered: it is started again and rendered', async () => {
    const job = await rig.post({ steps: ['hold', 'print'] });
    await rig.until(job, 'rendering');
    const { workflowService, options } = rig.temporal;
    await workflowService.deleteWorkflowExecution({
      namespace: options.namespace,
      workflowExecution: { workflowId: job.workflowId },
    });
    expect(await reconciled(job, 'succeeded')).to.include({ attempt: 0, workflowAttempt: 2 });
  });

  it('never started: it is started and rendered', async () => {
    const job = await rig.post({
      also: (tx, workflowId) => tx`delete from outbox where workflow_id = ${workflowId}`,
    });
    expect(await reconciled(job, 'succeeded')).to.include({ workflowAttempt: 1 });
  });

  it('not there when it got its place: its next one does not wait for that signal', async () => {
    const { sql } = rig.store;
    const workspace = await rig.createWorkspace('single');
    const holder = await rig.post({ workspace, steps: ['hold'] });
    await rig.until(holder, 'rendering');
    const job = await rig.post({
      workspace,
      also: (tx, workflowId) => tx`delete from outbox where workflow_id = ${workflowId}`,
    });
    const call = { plans, retryDelaysMs: [], before: Number.MAX_SAFE_INTEGER, pageSize: 100 };
    const found = (await Array.fromAsync(listOpenWork(sql, call))).flat();
    rig.renderer.release(holder.jobId);
    await rig.until(holder, 'succeeded');
    await poll('the signal to be lost', async () => {
      const rows = await sql`select 1 from outbox`;
      return rows.length === 0 || undefined;
    });
    await found.find(({ workflowId }) => workflowId === job.workflowId)?.restart();
    rig.relay.wake();
    await rig.until(job, 'succeeded');
  });

  it('leaves work alone that runs', async () => {
    const job = await rig.post({ steps: ['hold'] });
    await rig.until(job, 'rendering');
    await rig.reconcile();
    rig.renderer.release(job.jobId);
    expect(await rig.until(job, 'succeeded')).to.include({ workflowAttempt: 1 });
  });

  /** Reconciles until the job has that state: the visibility of workflows lags behind. */
  const reconciled = (job: Job, status: 'failed' | 'succeeded') =>
    poll(`${job.jobId} to be ${status}`, async () => {
      await rig.reconcile();
      const [row] = await rig.store.sql<Awaited<ReturnType<Rig['until']>>[]>`
        select status, attempt, workflow_attempt, error_code, error_message from render_jobs
        where id = ${job.jobId} and status = ${status}`;
      return row;
    });
});

describe('what an operator sees of a render job', () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig[Symbol.asyncDispose]());

  it('finds it by workspace, deploy, version and business key while it runs', async () => {
    const job = await rig.post({ steps: ['hold'], businessKey: 'invoice-1' });
    const { id, deployId, deployVersionId } = rig.workspace;
    const query = `WorkspaceId = '${id}' and DeployId = '${deployId}' and DeployVersionId = '${deployVersionId}'
      and BusinessKey = 'invoice-1' and ExecutionStatus = 'Running'`;
    await poll('the job in the list', () => finds(query, job));
    rig.renderer.release(job.jobId);
    await rig.closed(job);
  });

  it('reads what it is without asking us', async () => {
    const job = await rig.post({ businessKey: 'invoice-2' });
    await rig.closed(job);
    const handle = rig.temporal.workflow.getHandle(job.workflowId);
    const { memo, type, raw } = await handle.describe();
    expect(type).to.equal('renderJob');
    expect(memo).to.eql({ slug: 'document', title: 'Title of document', requestId });
    const summary = raw.executionConfig?.userMetadata?.summary?.data;
    expect(String(Buffer.from(summary ?? []))).to.equal('"document: invoice-2"');
    const details = String(Buffer.from(raw.executionConfig?.userMetadata?.details?.data ?? []));
    expect(JSON.parse(details)).to.equal(
      `[Open in the dashboard](${publicUrl}${jobPage(rig.workspace.id, job.jobId)})`,
    );
  });

  it('finds jobs by how they ended', async () => {
    const failed = await rig.post({ steps: ['render_crashed'] });
    const printed = await rig.post();
    await Promise.all([rig.closed(failed), rig.closed(printed)]);
    const query = "JobStatus = 'failed' and ErrorCode = 'render_crashed' and Attempt = 2";
    await poll('the failed job in the list', () => finds(query, failed));
    expect(await finds(query, printed)).to.equal(undefined);
    await poll('the other one', () => finds("JobStatus = 'succeeded'", printed));
  });

  it('finds a job that waits for its retry, and why', async () => {
    const job = await rig.post({ steps: ['render_crashed'], retryDelaysMs: longRetryDelaysMs });
    const query = "JobStatus = 'retry_scheduled' and ErrorCode = 'render_crashed'";
    await poll('the job in the list', () => finds(query, job));
    await rig.temporal.workflow.getHandle(job.workflowId).cancel();
    await poll('its end in the list', () => finds("JobStatus = 'canceled'", job));
  });

  const finds = async (query: string, { workflowId }: Job): Promise<string | undefined> => {
    for await (const found of rig.temporal.workflow.list({ query }))
      if (found.workflowId === workflowId) return found.workflowId;
    return undefined;
  };
});

/** A workspace with one place, a job that holds it, and one that waits for it. */
async function fillCeiling(rig: Rig) {
  const workspace = await rig.createWorkspace('single');
  const first = await rig.post({ workspace, steps: ['hold', 'print'] });
  await rig.until(first, 'rendering');
  const job = await rig.post({ workspace });
  await poll('the second to wait', async () => {
    const handle = rig.temporal.workflow.getHandle(job.workflowId);
    return (await handle.query<JobProgress>(renderJobQuery)).waitingFor;
  });
  return { first, second: { job, workspace } };
}
