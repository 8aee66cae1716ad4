import { fileURLToPath } from 'node:url';
import { WorkflowNotFoundError } from '@temporalio/client';
import { expect } from 'chai';
import { renderJobQuery } from '../../contracts/processes/workflows.ts';
import type { JobProgress } from '../../contracts/rest/schemas/job-progress.ts';
import type { RenderJobStatus } from '../../contracts/states.ts';
import { cancelRenderJob } from '../../store/jobs/end-render-job.ts';
import { poll } from '../support/poll.ts';
import type { Step } from './fake-renderer.ts';
import { type Job, plans } from './fixtures.ts';
import { fetchHistory, historyBytes, scheduledActivities } from './histories.ts';
import { type InProcessService, useInProcessService } from './workflow-fixture.ts';

interface Scenario {
  readonly title: string;
  readonly steps: readonly Step[];
  readonly endsAs: RenderJobStatus;
  readonly errorCode?: string;
  /** The number of the last attempt, from 0. The client is charged for each attempt. */
  readonly attempt: number;
  /** How many times a worker claimed the job. */
  readonly claims: number;
}

const fastClock = fileURLToPath(new URL('fast-clock.ts', import.meta.url));
const shortHeartbeatTimeout = fileURLToPath(new URL('short-heartbeat-timeout.ts', import.meta.url));

describe('the workflow of a render job', () => {
  const service = useInProcessService();

  const scenarios: Scenario[] = [
    { title: 'prints a job once', steps: ['print'], endsAs: 'succeeded', attempt: 0, claims: 1 },
    {
      title: 'does not retry when the document itself failed',
      steps: ['render_failed', 'print'],
      endsAs: 'failed',
      errorCode: 'render_failed',
      attempt: 0,
      claims: 1,
    },
    {
      title: 'does not retry when the render took longer than its limit',
      steps: ['render_timeout_exceeded', 'print'],
      endsAs: 'failed',
      errorCode: 'render_timeout_exceeded',
      attempt: 0,
      claims: 1,
    },
    {
      title: 'does not retry when the output was too large',
      steps: ['render_output_too_large', 'print'],
      endsAs: 'failed',
      errorCode: 'render_output_too_large',
      attempt: 0,
      claims: 1,
    },
    {
      title: 'retries after a crash',
      steps: ['render_crashed', 'print'],
      endsAs: 'succeeded',
      attempt: 1,
      claims: 2,
    },
    {
      title: 'fails after the third crash',
      steps: ['render_crashed'],
      endsAs: 'failed',
      errorCode: 'render_crashed',
      attempt: 2,
      claims: 3,
    },
    {
      title: 'retries a slow page once and then fails',
      steps: ['navigation_timeout'],
      endsAs: 'failed',
      errorCode: 'navigation_timeout',
      attempt: 1,
      claims: 2,
    },
    {
      title: 'charges nobody for an outage of the storage',
      steps: ['storage_fails', 'print'],
      endsAs: 'succeeded',
      attempt: 0,
      claims: 2,
    },
  ];

  for (const scenario of scenarios) it(scenario.title, () => expectScenario(service(), scenario));

  it('needs one activity for a job that succeeds', async () => {
    const job = await service().createJob();
    await service().waitForClose(job);
    const history = await fetchHistory(service().temporal, job.workflowId);
    expect(scheduledActivities(history)).to.eql(['renderDocument']);
  });

  it('shows each step of a charged retry: waiting, queued, rendering', async () => {
    const job = await service().createJob({
      steps: ['render_crashed', 'hold'],
      retryDelaysMs: [1_000],
    });
    await service().waitForStatus(job, 'retry_scheduled');
    const { retryAt = 0, since } = await poll('the workflow to wait for the retry', async () => {
      const now = await progress(job);
      return now.waitingFor === 'retry' ? now : undefined;
    });
    // One second with a jitter of a fifth, minus the time between the update of the row and that of the workflow.
    expect(retryAt - since).to.be.within(0, 1_200);
    expect(await service().waitForStatus(job, 'rendering')).to.include({ attempt: 1 });
    service().renderer.release(job.jobId);
    await service().waitForStatus(job, 'succeeded');
    const stages = await service().store.sql<{ stage: string; code: string }[]>`
      select stage, code from render_job_logs where job_id = ${job.jobId}`;
    expect(stages).to.deep.include({ stage: 'retry', code: 'render_crashed' });
  });

  it('shows that an admitted job waits for a browser', async () => {
    const job = await service().createJob({ steps: ['hold'] });
    await service().waitForStatus(job, 'rendering');
    expect(await progress(job)).to.include({ waitingFor: 'browser' });
    service().renderer.release(job.jobId);
    await service().waitForStatus(job, 'succeeded');
  });

  it('lets a job wait for admission until another job has ended', async () => {
    const workspace = await service().createWorkspace('single');
    const first = await service().createJob({ workspace, steps: ['hold'] });
    const second = await service().createJob({ workspace });
    await service().waitForStatus(first, 'rendering');
    expect(await progress(second)).to.include({ waitingFor: 'admission' });
    await service().waitForStatus(second, 'queued');
    service().renderer.release(first.jobId);
    await service().waitForStatus(second, 'succeeded');
    expect(await admittedJobs(workspace.id)).to.equal(0);
  });

  it('stays admitted while it waits for a retry', async () => {
    const workspace = await service().createWorkspace('single');
    const first = await service().createJob({
      workspace,
      steps: ['render_crashed', 'print'],
      retryDelaysMs: [300],
    });
    const second = await service().createJob({ workspace });
    await Promise.all([
      service().waitForStatus(first, 'succeeded'),
      service().waitForStatus(second, 'succeeded'),
    ]);
    const starts = await service().store.sql<{ id: string }[]>`
      select id from render_jobs where workspace_id = ${workspace.id} order by started_at`;
    expect(starts.map(({ id }) => id)).to.eql([first.jobId, second.jobId]);
    const [row] = await service().store.sql<{ inOrder: boolean }[]>`
      select (select finished_at from render_jobs where id = ${first.jobId}) <=
        (select started_at from render_jobs where id = ${second.jobId}) as in_order`;
    expect(row?.inOrder).to.equal(true);
  });

  const progress = (job: Job): Promise<JobProgress> =>
    poll(`progress of ${job.jobId}`, () =>
      service().temporal.workflow.getHandle(job.workflowId).query<JobProgress>(renderJobQuery),
    );

  const admittedJobs = async (workspaceId: string): Promise<number | undefined> => {
    const [row] = await service().store.sql<{ admittedJobs: number }[]>`
      select admitted_jobs from workspaces where id = ${workspaceId}`;
    return row?.admittedJobs;
  };

  it('counts the admitted jobs correctly', async () => {
    const wrong = await service().store.sql`
      select id from workspaces w where admitted_jobs <> (
        select count(*) from render_jobs
        where workspace_id = w.id and finished_at is null and admitted_at is not null)`;
    expect(wrong).to.have.lengthOf(0);
  });

  it('keeps the error message of the document for the client, but not in the history', async () => {
    const job = await service().createJob({ steps: ['render_failed'] });
    const { errorMessage } = await service().waitForStatus(job, 'failed');
    expect(errorMessage).to.equal(`The document says ${job.secret}.`);
    await service().waitForClose(job);
    await expectNothingLeft(service(), job);
  });
});

describe('a render job during an outage on our side', () => {
  const service = useInProcessService({ slots: 1 });

  it('waits for retries that clients see and that charge nobody', async () => {
    const job = await service().createJob({ steps: ['storage_fails', 'storage_fails', 'print'] });
    expect(await service().waitForStatus(job, 'retry_scheduled')).to.include({
      attempt: 0,
      errorCode: null,
    });
    const { retryAt = 0, since } = await waitForProgress(job, 'retry');
    expect(retryAt).to.be.within(since, Date.now() + 2_000);
    expect(await service().waitForStatus(job, 'succeeded')).to.include({
      attempt: 0,
      workflowAttempt: 3,
    });
    const logs = await service().store.sql<{ message: string }[]>`
      select level, stage, code, message from render_job_logs where job_id = ${job.jobId} and stage = 'retry'`;
    expect(logs, 'logged once').to.have.lengthOf(1);
    expect(logs[0]).to.include({ level: 'warn', code: 'service_unavailable' });
    await expectNothingLeft(service(), job);
  });

  it('can be canceled', async () => {
    const job = await service().createJob({ steps: ['storage_fails'] });
    await service().waitForStatus(job, 'retry_scheduled');
    await cancelRenderJob(service().store.sql, plans, {
      jobId: job.jobId,
      workspaceId: service().workspace.id,
      now: Date.now(),
    });
    service().relay.wake();
    expect(await service().waitForClose(job)).to.equal('CANCELLED');
    await service().waitForStatus(job, 'canceled');
  });

  it('counts the charged retries of the document separately', async () => {
    const job = await service().createJob({
      steps: ['render_crashed', 'storage_fails', 'render_crashed', 'storage_fails', 'print'],
    });
    expect(await service().waitForStatus(job, 'succeeded')).to.include({
      attempt: 2,
      workflowAttempt: 5,
    });
  });

  it('is not charged for a retry when Temporal loses the workflow meanwhile', async () => {
    const job = await service().createJob({ steps: ['storage_fails', 'print'] });
    await service().waitForStatus(job, 'retry_scheduled');
    await service().temporal.workflowService.deleteWorkflowExecution({
      namespace: service().temporal.options.namespace,
      workflowExecution: { workflowId: job.workflowId },
    });
    await poll('the workflow to be deleted', () =>
      service()
        .temporal.workflow.getHandle(job.workflowId)
        .describe()
        .then(
          () => false,
          (error: unknown) => error instanceof WorkflowNotFoundError,
        ),
    );
    await service().reconcile();
    expect(await service().waitForStatus(job, 'succeeded')).to.include({ attempt: 0 });
  });

  const waitForProgress = (job: Job, waitingFor: string): Promise<JobProgress> =>
    poll(`${job.jobId} to wait for ${waitingFor}`, async () => {
      const handle = service().temporal.workflow.getHandle(job.workflowId);
      const progress = await handle.query<JobProgress>(renderJobQuery);
      return progress.waitingFor === waitingFor && progress;
    });
});

describe('a render job during a long outage on our side', () => {
  /** A day of the fast clock lasts this long. */
  const fastDayMs = 3_600;
  const service = useInProcessService({ workflowInterceptors: [fastClock], slots: 1 });

  it('fails after a day, charges nobody, and its message does not blame the document', async () => {
    const workspace = await service().createWorkspace('single');
    const job = await service().createJob({ workspace, steps: ['storage_fails'] });
    const ended = await service().waitForStatus(job, 'failed');
    expect(ended).to.include({ errorCode: 'render_failed', attempt: 0 });
    expect(ended.errorMessage).to.match(/on our side.*nothing is charged/);
    expect(ended.errorMessage).not.to.include(job.secret);
    const [row] = await service().store.sql<{ tookMs: number }[]>`
      select finished_at - requested_at as took_ms from render_jobs where id = ${job.jobId}`;
    expect(row?.tookMs).to.be.at.least(fastDayMs);
    expect(printsOf(job)).to.be.at.least(3);
    const [usage] = await service().store.sql`
      select render_jobs, render_time_ms, reserved_render_time_ms from usage_periods where workspace_id = ${workspace.id}`;
    expect(usage).to.deep.equal({ renderJobs: 0, renderTimeMs: 0, reservedRenderTimeMs: 0 });
    await expectNothingLeft(service(), job);
  });

  it('is tried again after the first failure, even if it had waited more than a day for a browser', async () => {
    const ahead = await service().createJob({ steps: ['hold'] });
    await service().waitForStatus(ahead, 'rendering');
    const job = await service().createJob({ steps: ['storage_fails', 'print'] });
    const startedAt = Date.now();
    await poll('more than a day to pass', async () => Date.now() - startedAt > 1.2 * fastDayMs);
    service().renderer.release(ahead.jobId);
    expect(await service().waitForStatus(job, 'succeeded')).to.include({ attempt: 0 });
    expect(printsOf(job)).to.equal(2);
  });

  const printsOf = ({ jobId }: Job): number =>
    service().renderer.prints.filter((print) => print.jobId === jobId).length;
});

describe('a render job whose workers are lost', () => {
  const service = useInProcessService({ workflowInterceptors: [shortHeartbeatTimeout] });

  const scenarios: Scenario[] = [
    {
      title: 'charges nobody for a lost worker',
      steps: ['worker_lost', 'print'],
      endsAs: 'succeeded',
      attempt: 0,
      claims: 2,
    },
    {
      title: 'fails when five workers were lost while they rendered it',
      steps: ['worker_lost'],
      endsAs: 'failed',
      errorCode: 'render_crashed',
      attempt: 0,
      claims: 5,
    },
    {
      title: 'counts crashes also between lost workers',
      steps: ['worker_lost', 'render_crashed', 'worker_lost', 'print'],
      endsAs: 'succeeded',
      attempt: 1,
      claims: 4,
    },
  ];

  for (const scenario of scenarios) it(scenario.title, () => expectScenario(service(), scenario));
});

async function expectScenario(
  service: InProcessService,
  { steps, endsAs, errorCode, attempt, claims }: Scenario,
): Promise<void> {
  const job = await service.createJob({ steps });
  const row = await service.waitForStatus(job, endsAs);
  expect(row).to.include({ errorCode: errorCode ?? null, attempt, workflowAttempt: claims });
  expect(await service.waitForClose(job)).to.equal(endsAs === 'failed' ? 'FAILED' : 'COMPLETED');
  await expectNothingLeft(service, job);
}

/** Expects that the payload of an ended job, and what its document said, are neither in the database nor in the history. */
const expectNothingLeft = async (
  service: InProcessService,
  { jobId, workflowId, secret }: Job,
): Promise<void> => {
  const payloads = await service.store
    .sql`select 1 from render_job_payloads where job_id = ${jobId}`;
  expect(payloads).to.have.lengthOf(0);
  const history = await fetchHistory(service.temporal, workflowId);
  expect(historyBytes(history).includes(secret)).to.equal(false);
};
