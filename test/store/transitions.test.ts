import { expect } from 'chai';
import { isTerminal, renderJobStatusSchema, renderJobTransitions } from '../../contracts/states.ts';
import type { Sql } from '../../store/database/connection.ts';
import type { ClaimedJob } from '../../store/jobs/claim-render-job.ts';
import {
  cancelRenderJob,
  stopRenderJob,
  succeedRenderJob,
} from '../../store/jobs/end-render-job.ts';
import { recordAttempt } from '../../store/jobs/render-attempts.ts';
import { getRenderJobAnswer } from '../../store/jobs/render-job-answers.ts';
import { requeueRenderJob, scheduleRetry } from '../../store/jobs/retry-render-job.ts';
import {
  accept,
  attemptResult,
  cancel,
  claim,
  createDocument,
  createJobIn,
  fail,
  failure,
  noon,
  pdfOf,
  plans,
  postpone,
  readJob,
  requeue,
  retryLater,
  snapshot,
  succeed,
  type TestDocument,
  useDatabase,
} from './store-fixture.ts';

const hourMs = 3_600_000;

type RenderJobTransition = keyof typeof renderJobTransitions;

/** The function of each transition. It returns a falsy value if the state of the job does not allow the transition. */
const transitions: Readonly<
  Record<RenderJobTransition, (sql: Sql, job: ClaimedJob) => Promise<unknown>>
> = {
  claim: (sql, { jobId }) => claim(sql, jobId, noon + 1),
  succeed,
  fail,
  scheduleRetry: retryLater,
  postpone,
  requeue,
  cancel: (sql, job) =>
    cancel(sql, job).then(
      () => true,
      (error) => {
        expect(error).to.have.property('code', 'render_job_not_cancelable');
        return false;
      },
    ),
  stop: (sql, { jobId, workspaceId }) =>
    stopRenderJob(sql, plans, { jobId, workspaceId, now: noon }),
};

describe('states of a job', () => {
  const database = useDatabase();
  let document: TestDocument;
  before(async () => {
    document = await createDocument(database().sql);
  });

  for (const status of renderJobStatusSchema.options)
    for (const [name, transition] of Object.entries(transitions)) {
      const { from, to } = renderJobTransitions[name as RenderJobTransition];
      if ((from as readonly string[]).includes(status))
        it(`change from ${status} to ${to} with ${name}`, async () => {
          const { sql } = database();
          const job = await createJobIn(sql, document, status);
          expect(await transition(sql, job)).to.be.ok;
          await assertConsistent(sql, job, to);
        });
      else
        it(`do not change from ${status} with ${name}`, async () => {
          const { sql } = database();
          const job = await createJobIn(sql, document, status);
          const before = await snapshot(sql, document.workspace.id);
          expect(await transition(sql, job)).not.to.be.ok;
          expect(await snapshot(sql, document.workspace.id)).to.deep.equal(before);
          await assertConsistent(sql, job, status);
        });
    }

  it('count a retry as the next attempt', async () => {
    const { sql } = database();
    const job = await createJobIn(sql, document, 'retry_scheduled');
    await requeue(sql, job);
    expect(await claim(sql, job.jobId, noon + 1)).to.include({ attempt: 1, workflowAttempt: 2 });
  });

  for (const status of renderJobTransitions.postpone.from)
    it(`allow an uncharged retry of a job that is ${status}, and then a charged one`, async () => {
      const { sql } = database();
      const job = await createJobIn(sql, document, status);
      await postpone(sql, job);
      await requeue(sql, job);
      expect(await claim(sql, job.jobId, noon + 1)).to.include({ attempt: 0 });
      await retryLater(sql, await readJob(sql, job.jobId));
      await requeue(sql, job);
      expect(await claim(sql, job.jobId, noon + 2)).to.include({ attempt: 1 });
    });

  describe('record how long a job waited', () => {
    /** Creates a job that waited 100 ms, rendered for 1,000 ms, and waits for a retry. */
    const retried = async () => {
      const { sql } = database();
      const { job } = await accept(sql, document);
      await claim(sql, job.id, noon + 100);
      const held = await readJob(sql, job.id);
      await recordAttempt(sql, held, { ...attemptResult, finishedAt: noon + 1_090 });
      await scheduleRetry(sql, { ...held, failure, retryAt: noon + 6_000, now: noon + 1_100 });
      return held;
    };
    const requeueAt = ({ jobId }: ClaimedJob, now: number) =>
      requeueRenderJob(database().sql, { jobId, now });
    const cancelAt = ({ jobId, workspaceId }: ClaimedJob, now: number) =>
      cancelRenderJob(database().sql, plans, { jobId, workspaceId, now });
    const waitOf = async ({ jobId, workspaceId }: ClaimedJob) =>
      (await getRenderJobAnswer(database().sql, workspaceId, jobId)).attemptUsage?.queueWaitMs;

    it('if it was canceled before it rendered', async () => {
      const { sql } = database();
      const { job } = await accept(sql, document);
      const held = await readJob(sql, job.id);
      await cancelAt(held, noon + 700);
      expect(await waitOf(held)).to.equal(700);
    });

    it('before each attempt, including the delay of the retry', async () => {
      const { sql } = database();
      const job = await retried();
      await requeueAt(job, noon + 6_100);
      await claim(sql, job.jobId, noon + 6_600);
      const held = await readJob(sql, job.jobId);
      const result = { ...attemptResult, finishedAt: noon + 7_600 };
      await succeedRenderJob(sql, plans, held, pdfOf(job.jobId), result, hourMs);
      expect(await waitOf(job)).to.equal(100 + 5_000 + 500);
      const { attemptUsage } = await getRenderJobAnswer(sql, job.workspaceId, job.jobId);
      expect(attemptUsage?.turnaroundMs).to.equal(7_600);
    });

    it('if it was canceled while it waited for its retry', async () => {
      const job = await retried();
      await cancelAt(job, noon + 2_100);
      expect(await waitOf(job)).to.equal(100 + 1_000);
    });

    it('if it was canceled in the queue for its next attempt', async () => {
      const job = await retried();
      await requeueAt(job, noon + 6_100);
      await cancelAt(job, noon + 9_100);
      expect(await waitOf(job)).to.equal(100 + 5_000 + 3_000);
    });

    it('but not while a lost worker held it, or while it rendered before an operator stopped it', async () => {
      const { sql } = database();
      const { job } = await accept(sql, document);
      await claim(sql, job.id, noon + 100);
      await claim(sql, job.id, noon + 10_000);
      const held = await readJob(sql, job.id);
      await stopRenderJob(sql, plans, { ...held, now: noon + 20_000 });
      expect(await waitOf(held)).to.equal(100);
    });
  });

  it('give a managed job an output and a PDF, and a transient one an output that expires', async () => {
    const { sql } = database();
    const answerOf = async (outputMode: 'managed' | 'transient') => {
      const job = await createJobIn(sql, document, 'succeeded', { body: { outputMode } });
      return getRenderJobAnswer(sql, document.workspace.id, job.jobId);
    };
    const [managed, transient] = [await answerOf('managed'), await answerOf('transient')];
    expect(managed.pdf).to.include({ state: 'available', bytes: 1_000, pageCount: 1 });
    expect(managed.output).not.to.have.any.keys('accessGuaranteedUntil', 'deleteAfter');
    expect(transient).not.to.have.property('pdf');
    const { createdAt = 0, accessGuaranteedUntil = 0, deleteAfter = 0 } = transient.output ?? {};
    expect(accessGuaranteedUntil).to.be.greaterThan(createdAt);
    expect(deleteAfter).to.be.at.least(accessGuaranteedUntil);
  });

  it('sum the usage of all attempts', async () => {
    const { sql } = database();
    const job = await createJobIn(sql, document, 'succeeded');
    const { attemptUsage } = await getRenderJobAnswer(sql, document.workspace.id, job.jobId);
    expect(attemptUsage).to.deep.equal({
      activeRunMs: 1_000,
      billableRenderMs: 100,
      browserMs: 10,
      queueWaitMs: 0,
      turnaroundMs: 1_000,
      browserMsSource: 'browser_lifecycle',
    });
  });
});

/** Checks that a job has exactly the data of its state: payload, times, error, output. */
async function assertConsistent(sql: Sql, { jobId }: ClaimedJob, status: string): Promise<void> {
  const payloads = await sql`select from render_job_payloads where job_id = ${jobId}`;
  const outputs = await sql`select from render_outputs where job_id = ${jobId}`;
  const [row] = await sql`
    select status, finished_at, retry_at, error_code, error_message from render_jobs where id = ${jobId}`;
  const ended = isTerminal(renderJobStatusSchema.parse(status));
  expect(row?.status).to.equal(status);
  expect(payloads, 'payload').to.have.lengthOf(ended ? 0 : 1);
  expect(outputs, 'output').to.have.lengthOf(status === 'succeeded' ? 1 : 0);
  expect(row?.finishedAt !== null, 'finishedAt').to.equal(ended);
  expect(row?.retryAt !== null, 'retryAt').to.equal(status === 'retry_scheduled');
  expect(row?.errorCode !== null, 'errorCode').to.equal(status === 'failed');
  expect(row?.errorMessage !== null, 'errorMessage').to.equal(status === 'failed');
}
