import { expect } from 'chai';
import { jobPage } from '../../contracts/processes/web-addresses.ts';
import { renderJobQuery } from '../../contracts/processes/workflows.ts';
import type { JobProgress } from '../../contracts/rest/schemas/job-progress.ts';
import { cancelRenderJob } from '../../store/jobs/end-render-job.ts';
import { listOpenWork } from '../../store/open-work.ts';
import { poll } from '../support/poll.ts';
import { type Job, plans, requestId, type Workspace } from './fixtures.ts';
import { type InProcessService, publicUrl, useInProcessService } from './workflow-fixture.ts';

/** So long that a test sees the job wait for its retry. The test does not wait for the retry. */
const longRetryDelaysMs = [60_000];

describe('a render job that is canceled', () => {
  const service = useInProcessService();

  it('while it waits for admission: it is never rendered', async () => {
    const { first, second } = await fillCeiling(service());
    await cancel(second.workspace, second.job);
    expect(await service().waitForClose(second.job)).to.equal('CANCELLED');
    service().renderer.release(first.jobId);
    await service().waitForStatus(first, 'succeeded');
    expect(await service().waitForStatus(second.job, 'canceled')).to.include({
      workflowAttempt: 0,
    });
  });

  it('while it waits for its retry: its workflow closes at once and not after the delay', async () => {
    const job = await service().createJob({
      steps: ['render_crashed', 'print'],
      retryDelaysMs: longRetryDelaysMs,
    });
    await service().waitForStatus(job, 'retry_scheduled');
    await cancel(service().workspace, job);
    expect(await service().waitForClose(job)).to.equal('CANCELLED');
    expect(await service().waitForStatus(job, 'canceled')).to.include({ workflowAttempt: 1 });
  });

  it('in the Temporal UI while it renders: its print is aborted', async () => {
    const job = await service().createJob({ steps: ['hold'] });
    const print = await poll('the print', () =>
      service().renderer.prints.find(({ jobId }) => jobId === job.jobId),
    );
    await service().temporal.workflow.getHandle(job.workflowId).cancel();
    await poll('the abort', () => print.signal.aborted || undefined);
    await service().waitForStatus(job, 'canceled');
    expect(await service().waitForClose(job)).to.equal('CANCELLED');
    const payloads = await service().store
      .sql`select 1 from render_job_payloads where job_id = ${job.jobId}`;
    expect(payloads).to.have.lengthOf(0);
  });

  it('in the Temporal UI while it waits for admission: no other job is admitted for it', async () => {
    const { first, second } = await fillCeiling(service());
    await service().temporal.workflow.getHandle(second.job.workflowId).cancel();
    await service().waitForStatus(second.job, 'canceled');
    const third = await service().createJob({ workspace: second.workspace });
    expect(await getWaitReason(third)).to.equal('admission');
    service().renderer.release(first.jobId);
    await service().waitForStatus(third, 'succeeded');
  });

  it('closes its workflow as canceled, also when the render notices first', async () => {
    const job = await service().createJob({
      also: async (tx) => {
        await tx`update render_jobs set status = 'canceled', finished_at = 1 where workspace_id = ${service().workspace.id} and status = 'queued'`;
      },
    });
    await poll('the claim that notices the cancellation', async () => {
      const { events } = await service().temporal.workflow.getHandle(job.workflowId).fetchHistory();
      return events?.some((event) => event.activityTaskCompletedEventAttributes) || undefined;
    });
    await service().temporal.workflow.getHandle(job.workflowId).cancel();
    expect(await service().waitForClose(job)).to.equal('CANCELLED');
    expect(service().renderer.prints.some(({ jobId }) => jobId === job.jobId)).to.equal(false);
  });

  const cancel = async (workspace: Workspace, { jobId }: Job): Promise<void> => {
    const call = { jobId, workspaceId: workspace.id, now: Date.now() };
    await cancelRenderJob(service().store.sql, plans, call);
    service().relay.wake();
  };

  const getWaitReason = ({ workflowId }: Job) =>
    poll('the answer of the query', async () => {
      const handle = service().temporal.workflow.getHandle(workflowId);
      return (await handle.query<JobProgress>(renderJobQuery)).waitingFor;
    });
});

describe('a render job whose workflow', () => {
  const service = useInProcessService();

  it('was terminated by an operator: the job is settled as failed, and the next job is admitted', async () => {
    const { first, second } = await fillCeiling(service());
    await service().temporal.workflow.getHandle(first.workflowId).terminate('no longer wanted');
    const row = await reconcileUntil(first, 'failed');
    expect(row).to.include({ errorCode: 'render_failed' });
    expect(row.errorMessage).to.match(/operator/);
    await service().waitForStatus(second.job, 'succeeded');
  });

  it('was deleted during the render: it is started again, and the job is rendered', async () => {
    const job = await service().createJob({ steps: ['hold', 'print'] });
    await service().waitForStatus(job, 'rendering');
    const { workflowService, options } = service().temporal;
    await workflowService.deleteWorkflowExecution({
      namespace: options.namespace,
      workflowExecution: { workflowId: job.workflowId },
    });
    expect(await reconcileUntil(job, 'succeeded')).to.include({ attempt: 0, workflowAttempt: 2 });
  });

  it('was never started: it is started, and the job is rendered', async () => {
    const job = await service().createJob({
      also: (tx, workflowId) => tx`delete from outbox where workflow_id = ${workflowId}`,
    });
    expect(await reconcileUntil(job, 'succeeded')).to.include({ workflowAttempt: 1 });
  });

  it('did not exist when the job was admitted: the new workflow does not wait for that signal', async () => {
    const { sql } = service().store;
    const workspace = await service().createWorkspace('single');
    const holder = await service().createJob({ workspace, steps: ['hold'] });
    await service().waitForStatus(holder, 'rendering');
    const job = await service().createJob({
      workspace,
      also: (tx, workflowId) => tx`delete from outbox where workflow_id = ${workflowId}`,
    });
    const call = { plans, retryDelaysMs: [], before: Number.MAX_SAFE_INTEGER, pageSize: 100 };
    const found = (await Array.fromAsync(listOpenWork(sql, call))).flat();
    service().renderer.release(holder.jobId);
    await service().waitForStatus(holder, 'succeeded');
    await poll('the signal to be lost', async () => {
      const rows = await sql`select 1 from outbox`;
      return rows.length === 0 || undefined;
    });
    await found.find(({ workflowId }) => workflowId === job.workflowId)?.restart();
    service().relay.wake();
    await service().waitForStatus(job, 'succeeded');
  });

  it('is running: reconciliation changes nothing', async () => {
    const job = await service().createJob({ steps: ['hold'] });
    await service().waitForStatus(job, 'rendering');
    await service().reconcile();
    service().renderer.release(job.jobId);
    expect(await service().waitForStatus(job, 'succeeded')).to.include({ workflowAttempt: 1 });
  });

  /** Reconciles until the job has this status, because Temporal's list of workflows lags behind. */
  const reconcileUntil = (job: Job, status: 'failed' | 'succeeded') =>
    poll(`${job.jobId} to be ${status}`, async () => {
      await service().reconcile();
      const [row] = await service().store.sql<
        Awaited<ReturnType<InProcessService['waitForStatus']>>[]
      >`
        select status, attempt, workflow_attempt, error_code, error_message from render_jobs
        where id = ${job.jobId} and status = ${status}`;
      return row;
    });
});

describe('an operator in the Temporal UI', () => {
  const service = useInProcessService();

  it('finds a running job by workspace, deploy, version and business key', async () => {
    const job = await service().createJob({ steps: ['hold'], businessKey: 'invoice-1' });
    const { id, deployId, deployVersionId } = service().workspace;
    const query = `WorkspaceId = '${id}' and DeployId = '${deployId}' and DeployVersionId = '${deployVersionId}'
      and BusinessKey = 'invoice-1' and ExecutionStatus = 'Running'`;
    await poll('the job in the list', () => findWorkflow(query, job));
    service().renderer.release(job.jobId);
    await service().waitForClose(job);
  });

  it('reads the document, the request id and a link to the dashboard', async () => {
    const job = await service().createJob({ businessKey: 'invoice-2' });
    await service().waitForClose(job);
    const handle = service().temporal.workflow.getHandle(job.workflowId);
    const { memo, type, raw } = await handle.describe();
    expect(type).to.equal('renderJob');
    expect(memo).to.eql({ slug: 'document', title: 'Title of document', requestId });
    const summary = raw.executionConfig?.userMetadata?.summary?.data;
    expect(String(Buffer.from(summary ?? []))).to.equal('"document: invoice-2"');
    const details = String(Buffer.from(raw.executionConfig?.userMetadata?.details?.data ?? []));
    expect(JSON.parse(details)).to.equal(
      `[Open in the dashboard](${publicUrl}${jobPage(service().workspace.id, job.jobId)})`,
    );
  });

  it('finds jobs by status, error code and attempt', async () => {
    const failed = await service().createJob({ steps: ['render_crashed'] });
    const printed = await service().createJob();
    await Promise.all([service().waitForClose(failed), service().waitForClose(printed)]);
    const query = "JobStatus = 'failed' and ErrorCode = 'render_crashed' and Attempt = 2";
    await poll('the failed job in the list', () => findWorkflow(query, failed));
    expect(await findWorkflow(query, printed)).to.equal(undefined);
    await poll('the job that succeeded in the list', () =>
      findWorkflow("JobStatus = 'succeeded'", printed),
    );
  });

  it('finds a job that waits for its retry, by the error code', async () => {
    const job = await service().createJob({
      steps: ['render_crashed'],
      retryDelaysMs: longRetryDelaysMs,
    });
    const query = "JobStatus = 'retry_scheduled' and ErrorCode = 'render_crashed'";
    await poll('the job in the list', () => findWorkflow(query, job));
    await service().temporal.workflow.getHandle(job.workflowId).cancel();
    await poll('the canceled job in the list', () => findWorkflow("JobStatus = 'canceled'", job));
  });

  const findWorkflow = async (query: string, { workflowId }: Job): Promise<string | undefined> => {
    for await (const found of service().temporal.workflow.list({ query }))
      if (found.workflowId === workflowId) return found.workflowId;
    return undefined;
  };
});

/** Creates a workspace that admits one job at a time, a job that renders, and one that waits for admission. */
async function fillCeiling(service: InProcessService) {
  const workspace = await service.createWorkspace('single');
  const first = await service.createJob({ workspace, steps: ['hold', 'print'] });
  await service.waitForStatus(first, 'rendering');
  const job = await service.createJob({ workspace });
  await poll('the second job to wait', async () => {
    const handle = service.temporal.workflow.getHandle(job.workflowId);
    return (await handle.query<JobProgress>(renderJobQuery)).waitingFor;
  });
  return { first, second: { job, workspace } };
}
