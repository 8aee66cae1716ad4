import { fileURLToPath } from 'node:url';
import { WorkflowNotFoundError } from '@temporalio/client';
import { expect } from 'chai';
import { renderJobQuery } from '../../contracts/processes/workflows.ts';
import type { JobProgress } from '../../contracts/rest/schemas/job-progress.ts';
import type { RenderJobStatus } from '../../contracts/states.ts';
import { cancelRenderJob } from '../../store/jobs/render-job-transitions.ts';
import { poll } from '../support/poll.ts';
import type { Step } from './fake-renderer.ts';
import { type Job, plans } from './fixtures.ts';
import { fetchHistory, historyBytes, scheduledActivities } from './histories.ts';
import { type Rig, startRig } from './workflow-fixture.ts';

interface Story {
  readonly promise: string;
  readonly steps: readonly Step[];
  readonly ends: RenderJobStatus;
  readonly errorCode?: string;
  /** Attempts that the client is charged with, from 0. */
  readonly attempt: number;
  /** Times that a worker took the job. */
  readonly claims: number;
}

const fastClock = fileURLToPath(new URL('fast-clock.ts', import.meta.url));
const shortHeartbeatTimeout = fileURLToPath(new URL('short-heartbeat-timeout.ts', import.meta.url));

describe('the workflow of a render job', () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig[Symbol.asyncDispose]());

  const stories: Story[] = [
    { promise: 'prints a job once', steps: ['print'], ends: 'succeeded', attempt: 0, claims: 1 },
    {
      promise: 'does not print again what the document itself failed',
      steps: ['render_failed', 'print'],
      ends: 'failed',
      errorCode: 'render_failed',
      attempt: 0,
      claims: 1,
    },
    {
      promise: 'does not print again what took longer than its limit',
      steps: ['render_timeout_exceeded', 'print'],
      ends: 'failed',
      errorCode: 'render_timeout_exceeded',
      attempt: 0,
      claims: 1,
    },
    {
      promise: 'does not print again what was too large',
      steps: ['render_output_too_large', 'print'],
      ends: 'failed',
      errorCode: 'render_output_too_large',
      attempt: 0,
      claims: 1,
    },
    {
      promise: 'prints again after a crash',
      steps: ['render_crashed', 'print'],
      ends: 'succeeded',
      attempt: 1,
      claims: 2,
    },
    {
      promise: 'fails after the third crash',
      steps: ['render_crashed'],
      ends: 'failed',
      errorCode: 'render_crashed',
      attempt: 2,
      claims: 3,
    },
    {
      promise: 'loads a slow page once more, and then fails',
      steps: ['navigation_timeout'],
      ends: 'failed',
      errorCode: 'navigation_timeout',
      attempt: 1,
      claims: 2,
    },
    {
      promise: 'charges nobody with trouble of the storage',
      steps: ['storage_fails', 'print'],
      ends: 'succeeded',
      attempt: 0,
      claims: 2,
    },
  ];

  for (const story of stories) it(story.promise, () => expectStory(rig, story));

  it('takes one activity for a job that succeeds', async () => {
    const job = await rig.post();
    await rig.closed(job);
    const history = await fetchHistory(rig.temporal, job.workflowId);
    expect(scheduledActivities(history)).to.eql(['renderDocument']);
  });

  it('shows a charged retry as it happens: waiting, queued, rendering', async () => {
    const job = await rig.post({
      steps: ['render_crashed', 'hold'],
      retryDelaysMs: [1_000],
    });
    await rig.until(job, 'retry_scheduled');
    const { retryAt = 0, since } = await poll('its workflow to have heard', async () => {
      const now = await progress(job);
      return now.waitingFor === 'retry' ? now : undefined;
    });
    // A second, a fifth more or less, and what it took to get from the row to the workflow.
    expect(retryAt - since).to.be.within(0, 1_200);
    expect(await rig.until(job, 'rendering')).to.include({ attempt: 1 });
    rig.renderer.release(job.jobId);
    await rig.until(job, 'succeeded');
    const stages = await rig.store.sql<{ stage: string; code: string }[]>`
      select stage, code from render_job_logs where job_id = ${job.jobId}`;
    expect(stages).to.deep.include({ stage: 'retry', code: 'render_crashed' });
  });

  it('says that a job with a place waits for a browser', async () => {
    const job = await rig.post({ steps: ['hold'] });
    await rig.until(job, 'rendering');
    expect(await progress(job)).to.include({ waitingFor: 'browser' });
    rig.renderer.release(job.jobId);
    await rig.until(job, 'succeeded');
  });

  it('lets a job wait for a place under the ceiling, and passes the place on', async () => {
    const workspace = await rig.createWorkspace('single');
    const first = await rig.post({ workspace, steps: ['hold'] });
    const second = await rig.post({ workspace });
    await rig.until(first, 'rendering');
    expect(await progress(second)).to.include({ waitingFor: 'admission' });
    await rig.until(second, 'queued');
    rig.renderer.release(first.jobId);
    await rig.until(second, 'succeeded');
    expect(await admittedJobs(workspace.id)).to.equal(0);
  });

  it('keeps its place while it waits for a retry', async () => {
    const workspace = await rig.createWorkspace('single');
    const first = await rig.post({
      workspace,
      steps: ['render_crashed', 'print'],
      retryDelaysMs: [300],
    });
    const second = await rig.post({ workspace });
    await Promise.all([rig.until(first, 'succeeded'), rig.until(second, 'succeeded')]);
    const ends = await rig.store.sql<{ id: string }[]>`
      select id from render_jobs where workspace_id = ${workspace.id} order by started_at`;
    expect(ends.map(({ id }) => id)).to.eql([first.jobId, second.jobId]);
    const [claim] = await rig.store.sql<{ inOrder: boolean }[]>`
      select (select finished_at from render_jobs where id = ${first.jobId}) <=
        (select started_at from render_jobs where id = ${second.jobId}) as in_order`;
    expect(claim?.inOrder).to.equal(true);
  });

  const progress = (job: Job): Promise<JobProgress> =>
    poll(`progress of ${job.jobId}`, () =>
      rig.temporal.workflow.getHandle(job.workflowId).query<JobProgress>(renderJobQuery),
    );

  const admittedJobs = async (workspaceId: string): Promise<number | undefined> => {
    const [row] = await rig.store.sql<{ admittedJobs: number }[]>`
      select admitted_jobs from workspaces where id = ${workspaceId}`;
    return row?.admittedJobs;
  };

  it('counts the jobs under the ceiling as they are', async () => {
    const wrong = await rig.store.sql`
      select id from workspaces w where admitted_jobs <> (
        select count(*) from render_jobs
        where workspace_id = w.id and finished_at is null and admitted_at is not null)`;
    expect(wrong).to.have.lengthOf(0);
  });

  it('keeps the message of the document for the client, and out of the history', async () => {
    const job = await rig.post({ steps: ['render_failed'] });
    const { errorMessage } = await rig.until(job, 'failed');
    expect(errorMessage).to.equal(`The document says ${job.secret}.`);
    await rig.closed(job);
    await expectNothingLeft(rig, job);
  });
});

describe('a render job in trouble that is ours', () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig({ slots: 1 });
  });
  after(() => rig[Symbol.asyncDispose]());

  it('waits for it to pass as a retry, which clients see and which charges nobody', async () => {
    const job = await rig.post({ steps: ['storage_fails', 'storage_fails', 'print'] });
    expect(await rig.until(job, 'retry_scheduled')).to.include({ attempt: 0, errorCode: null });
    const { retryAt = 0, since } = await waitOf(job, 'retry');
    expect(retryAt).to.be.within(since, Date.now() + 2_000);
    expect(await rig.until(job, 'succeeded')).to.include({ attempt: 0, workflowAttempt: 3 });
    const logs = await rig.store.sql<{ message: string }[]>`
      select level, stage, code, message from render_job_logs where job_id = ${job.jobId} and stage = 'retry'`;
    expect(logs, 'logged once').to.have.lengthOf(1);
    expect(logs[0]).to.include({ level: 'warn', code: 'service_unavailable' });
    await expectNothingLeft(rig, job);
  });

  it('can be canceled meanwhile', async () => {
    const job = await rig.post({ steps: ['storage_fails'] });
    await rig.until(job, 'retry_scheduled');
    await cancelRenderJob(rig.store.sql, plans, {
      jobId: job.jobId,
      workspaceId: rig.workspace.id,
      now: Date.now(),
    });
    rig.relay.wake();
    expect(await rig.closed(job)).to.equal('CANCELLED');
    await rig.until(job, 'canceled');
  });

  it('counts the retries that are the document’s on its own', async () => {
    const job = await rig.post({
      steps: ['render_crashed', 'storage_fails', 'render_crashed', 'storage_fails', 'print'],
    });
    expect(await rig.until(job, 'succeeded')).to.include({ attempt: 2, workflowAttempt: 5 });
  });

  it('is not charged with a retry either when Temporal forgets its workflow meanwhile', async () => {
    const job = await rig.post({ steps: ['storage_fails', 'print'] });
    await rig.until(job, 'retry_scheduled');
    await rig.temporal.workflowService.deleteWorkflowExecution({
      namespace: rig.temporal.options.namespace,
      workflowExecution: { workflowId: job.workflowId },
    });
    await poll('the workflow to be forgotten', () =>
      rig.temporal.workflow
        .getHandle(job.workflowId)
        .describe()
        .then(
          () => false,
          (error: unknown) => error instanceof WorkflowNotFoundError,
        ),
    );
    await rig.reconcile();
    expect(await rig.until(job, 'succeeded')).to.include({ attempt: 0 });
  });

  const waitOf = (job: Job, waitingFor: string): Promise<JobProgress> =>
    poll(`${job.jobId} to wait for ${waitingFor}`, async () => {
      const handle = rig.temporal.workflow.getHandle(job.workflowId);
      const progress = await handle.query<JobProgress>(renderJobQuery);
      return progress.waitingFor === waitingFor && progress;
    });
});

describe('a render job in trouble that is ours and lasts', () => {
  /** Of the fast clock. */
  const dayMs = 3_600;
  let rig: Rig;
  before(async () => {
    rig = await startRig({ workflowInterceptors: [fastClock], slots: 1 });
  });
  after(() => rig[Symbol.asyncDispose]());

  it('is given up after a day of it, with a sentence that blames no document, and charged to nobody', async () => {
    const workspace = await rig.createWorkspace('single');
    const job = await rig.post({ workspace, steps: ['storage_fails'] });
    const ended = await rig.until(job, 'failed');
    expect(ended).to.include({ errorCode: 'render_failed', attempt: 0 });
    expect(ended.errorMessage).to.match(/on our side.*nothing is charged/);
    expect(ended.errorMessage).not.to.include(job.secret);
    const [row] = await rig.store.sql<{ tookMs: number }[]>`
      select finished_at - requested_at as took_ms from render_jobs where id = ${job.jobId}`;
    expect(row?.tookMs).to.be.at.least(dayMs);
    expect(printsOf(job)).to.be.at.least(3);
    const [usage] = await rig.store.sql`
      select render_jobs, render_time_ms, reserved_render_time_ms from usage_periods where workspace_id = ${workspace.id}`;
    expect(usage).to.deep.equal({ renderJobs: 0, renderTimeMs: 0, reservedRenderTimeMs: 0 });
    await expectNothingLeft(rig, job);
  });

  it('is tried again after its first, however long it waited for a browser before', async () => {
    const ahead = await rig.post({ steps: ['hold'] });
    await rig.until(ahead, 'rendering');
    const job = await rig.post({ steps: ['storage_fails', 'print'] });
    const began = Date.now();
    await poll('more than its day', async () => Date.now() - began > 1.2 * dayMs);
    rig.renderer.release(ahead.jobId);
    expect(await rig.until(job, 'succeeded')).to.include({ attempt: 0 });
    expect(printsOf(job)).to.equal(2);
  });

  const printsOf = ({ jobId }: Job): number =>
    rig.renderer.prints.filter((print) => print.jobId === jobId).length;
});

describe('a render job whose workers are lost', () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig({ workflowInterceptors: [shortHeartbeatTimeout] });
  });
  after(() => rig[Symbol.asyncDispose]());

  const stories: Story[] = [
    {
      promise: 'charges nobody with a lost worker',
      steps: ['worker_lost', 'print'],
      ends: 'succeeded',
      attempt: 0,
      claims: 2,
    },
    {
      promise: 'gives up a document on which five workers were lost',
      steps: ['worker_lost'],
      ends: 'failed',
      errorCode: 'render_crashed',
      attempt: 0,
      claims: 5,
    },
    {
      promise: 'still counts crashes between lost workers',
      steps: ['worker_lost', 'render_crashed', 'worker_lost', 'print'],
      ends: 'succeeded',
      attempt: 1,
      claims: 4,
    },
  ];

  for (const story of stories) it(story.promise, () => expectStory(rig, story));
});

async function expectStory(
  rig: Rig,
  { steps, ends, errorCode, attempt, claims }: Story,
): Promise<void> {
  const job = await rig.post({ steps });
  const row = await rig.until(job, ends);
  expect(row).to.include({ errorCode: errorCode ?? null, attempt, workflowAttempt: claims });
  expect(await rig.closed(job)).to.equal(ends === 'failed' ? 'FAILED' : 'COMPLETED');
  await expectNothingLeft(rig, job);
}

/** What a job that ended may leave nowhere: its payload, and what its document said. */
const expectNothingLeft = async (rig: Rig, { jobId, workflowId, secret }: Job): Promise<void> => {
  const payloads = await rig.store.sql`select 1 from render_job_payloads where job_id = ${jobId}`;
  expect(payloads).to.have.lengthOf(0);
  const history = await fetchHistory(rig.temporal, workflowId);
  expect(historyBytes(history).includes(secret)).to.equal(false);
};
