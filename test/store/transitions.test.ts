import { expect } from 'chai';
import { isTerminal, renderJobStatusSchema, renderJobTransitions } from '../../contracts/states.ts';
import type { Sql } from '../../store/database.ts';
import type { ClaimedJob } from '../../store/jobs/render-attempts.ts';
import { getRenderJobAnswer } from '../../store/jobs/render-job-answers.ts';
import { stopRenderJob } from '../../store/jobs/render-job-transitions.ts';
import {
  cancel,
  claim,
  createDocument,
  createJobIn,
  fail,
  noon,
  plans,
  requeue,
  retryLater,
  snapshot,
  succeed,
  type TestDocument,
  useDatabase,
} from './rig.ts';

type RenderJobTransition = keyof typeof renderJobTransitions;

/** Each transition, by the function that makes it; answers or throws when it is not legal. */
const transitions: Readonly<
  Record<RenderJobTransition, (sql: Sql, job: ClaimedJob) => Promise<unknown>>
> = {
  claim: (sql, { jobId }) => claim(sql, jobId, noon + 1),
  succeed,
  fail,
  scheduleRetry: retryLater,
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
        it(`let ${name} lead from ${status} to ${to}`, async () => {
          const { sql } = database();
          const job = await createJobIn(sql, document, status);
          expect(await transition(sql, job)).to.be.ok;
          await assertConsistent(sql, job, to);
        });
      else
        it(`do not let ${name} change a job that is ${status}`, async () => {
          const { sql } = database();
          const job = await createJobIn(sql, document, status);
          const before = await snapshot(sql, document.workspace.id);
          expect(await transition(sql, job)).not.to.be.ok;
          expect(await snapshot(sql, document.workspace.id)).to.deep.equal(before);
          await assertConsistent(sql, job, status);
        });
    }

  it('let a retry count as the next attempt and begin with a new wait', async () => {
    const { sql } = database();
    const job = await createJobIn(sql, document, 'retry_scheduled');
    await requeue(sql, job);
    expect(await claim(sql, job.jobId, noon + 1)).to.include({ attempt: 1, workflowAttempt: 2 });
  });

  it('give a managed job an output and a PDF, a transient one an output that ends', async () => {
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

  it('add up the use of all attempts', async () => {
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

/** What belongs to a state is there, and nothing else: payload, times, error, output. */
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
