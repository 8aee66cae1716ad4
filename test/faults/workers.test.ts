import { expect } from 'chai';
import { isTerminal } from '../../contracts/states.ts';
import { poll } from '../support/poll.ts';
import { type FaultTools, kill, testFault } from './fault-fixture.ts';
import { browsersOf, descendantsOf, isRunning } from './processes.ts';

/** Tests need most of this time to start two workers, and to notice a lost worker by its heartbeats. */
const timeoutMs = 120_000;

describe('a worker that is lost or stops', function () {
  this.timeout(timeoutMs);

  it('killed during a render: its Chromium ends, and another worker prints the job once', () =>
    testFault({ workers: 2 }, async (tools) => {
      const jobId = await tools.createJob(5_000);
      await tools.waitForStatus(jobId, 'rendering');
      const worker = await tools.getWorkerOf(jobId);
      const chromium = descendantsOf(worker.pid);
      expect(chromium).not.to.have.lengthOf(0);
      const killedAt = Date.now();
      await kill(worker);
      await within(5_000, 'Chromium to end', () => !chromium.some(isRunning));
      report('Chromium gone', killedAt);
      await within(15_000 - (Date.now() - killedAt), 'another worker', async () => {
        const { workflowAttempt } = await tools.getJob(jobId);
        return workflowAttempt === 2;
      });
      report('another worker has the job', killedAt);
      expect(await tools.waitForStatus(jobId, 'succeeded')).to.include({
        attempt: 0,
        workflowAttempt: 2,
      });
    }));

  it('killed after it stored the PDF and before it settled: the job has one output', () =>
    testFault({ workers: 2 }, async (tools) => {
      const { sql } = tools.service.database;
      const jobId = await tools.createJob(1_500);
      await tools.waitForStatus(jobId, 'rendering');
      const worker = await tools.getWorkerOf(jobId);
      await sql.begin(async (tx) => {
        // Settling needs this lock, so the attempt stops when its PDF is stored and its row is not.
        await tx`select id from workspaces where id = ${tools.workspace.id} for update`;
        await poll('the attempt that waits to settle', async () => {
          const [waiting] = await sql`
            select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%workspaces%'`;
          return waiting;
        });
        await kill(worker);
      });
      const killedAt = Date.now();
      expect(await tools.waitForStatus(jobId, 'succeeded')).to.include({
        attempt: 0,
        workflowAttempt: 2,
      });
      report('printed by another worker', killedAt);
      const outputs = await sql<{ blobKey: string }[]>`
        select blob_key from render_outputs where job_id = ${jobId}`;
      expect(outputs).to.have.lengthOf(1);
      expect(outputs[0]?.blobKey).to.match(/\/2\.pdf$/);
    }));

  it('paused until another worker has its job, then continued: its late attempt changes nothing', () =>
    testFault({ workers: 2 }, async (tools) => {
      const { sql } = tools.service.database;
      const jobId = await tools.createJob(3_000);
      await tools.waitForStatus(jobId, 'rendering');
      const worker = await tools.getWorkerOf(jobId);
      process.kill(worker.pid, 'SIGSTOP');
      const stoppedAt = Date.now();
      try {
        await tools.waitForStatus(jobId, 'rendering', 2);
        report('another worker has the job', stoppedAt);
      } finally {
        process.kill(worker.pid, 'SIGCONT');
      }
      const row = await tools.waitForStatus(jobId, 'succeeded');
      expect(row).to.include({ attempt: 0 });
      const read = () => sql`
        select j.*, o.blob_key, o.sha256, o.created_at from render_jobs j
        join render_outputs o on o.job_id = j.id where j.id = ${jobId}`;
      const before = await read();
      // The worker ends after its prints, so the late attempt changes nothing after that.
      expect(await worker.end('SIGTERM')).to.equal(0);
      expect([...(await read())]).to.eql([...before]);
      expect(before[0]?.blobKey).to.match(new RegExp(`/${row.workflowAttempt}\\.pdf$`));
    }));

  it('signalled to stop with 20 jobs queued: it finishes its prints, and another worker prints the rest', () =>
    testFault({ workers: 1 }, async (tools) => {
      const jobIds = await Promise.all(Array.from({ length: 20 }, () => tools.createJob(700)));
      const [first] = await poll('a job that renders', () => findJobs(tools, 'rendering'));
      const [worker] = tools.service.workers;
      if (!worker || !first) throw new Error('Nothing renders.');
      const signalledAt = Date.now();
      expect(await worker.end('SIGTERM')).to.equal(0);
      report('the worker ended', signalledAt);
      expect(Date.now() - signalledAt).to.be.lessThan(10_000);
      expect(await findJobs(tools, 'rendering')).to.equal(undefined);
      expect((await tools.getJob(first)).status).to.equal('succeeded');
      await tools.startWorker();
      const restAt = Date.now();
      const rows = await Promise.all(
        jobIds.map((jobId) => tools.waitForStatus(jobId, 'succeeded')),
      );
      report('the rest is printed', restAt);
      for (const row of rows) expect(row).to.include({ attempt: 0, workflowAttempt: 1 });
    }));
});

/** At the latest this long after its claim, a render has its browser, even if the browser had to start. */
const browserStartMs = 2_000;

describe('a Chromium that is killed', function () {
  this.timeout(timeoutMs);
  const options = { workers: 1, env: { RENDER_RETRY_DELAYS: '1s,1s' } };

  it('is noticed within a second; the job is printed again, and fails after the third crash', () =>
    testFault(options, async (tools) => {
      const survivor = await tools.createJob(4_000);
      await killChromium(tools, survivor, 0);
      expect(await tools.waitForStatus(survivor, 'succeeded')).to.include({ attempt: 1 });

      const victim = await tools.createJob(5_000);
      for (const attempt of [0, 1, 2]) await killChromium(tools, victim, attempt);
      const row = await tools.waitForStatus(victim, 'failed');
      expect(row).to.include({ attempt: 2, errorCode: 'render_crashed' });
    }));

  const killChromium = async (tools: FaultTools, jobId: string, attempt: number): Promise<void> => {
    await poll(`attempt ${attempt} to have its browser`, async () => {
      const [held] = await tools.service.database.sql`
        select 1 from render_attempts a join render_jobs j on j.id = a.job_id
        where j.id = ${jobId} and j.status = 'rendering' and j.attempt = ${attempt}
          and a.workflow_attempt = j.workflow_attempt and a.claimed_at < ${Date.now() - browserStartMs}`;
      return held;
    });
    const { pid } = await tools.getWorkerOf(jobId);
    const killedAt = Date.now();
    for (const browser of browsersOf(pid)) process.kill(browser, 'SIGKILL');
    await within(1_000, 'the crash to be noticed', async () => {
      const { status } = await tools.getJob(jobId);
      return status === 'retry_scheduled' || isTerminal(status);
    });
    report('noticed', killedAt);
  };
});

const findJobs = async (tools: FaultTools, status: string): Promise<string[] | undefined> => {
  const rows = await tools.service.database.sql<{ id: string }[]>`
    select id from render_jobs where status = ${status}`;
  return rows.length > 0 ? rows.map(({ id }) => id) : undefined;
};

/** Polls until `ask` returns true, for at most `ms`. */
const within = (ms: number, what: string, ask: () => boolean | Promise<boolean>): Promise<true> =>
  poll(what, async () => ((await ask()) ? true : undefined), ms);

/** Prints how long something took, to compare runs. */
const report = (what: string, since: number): void =>
  console.log(`      ${what}: ${((Date.now() - since) / 1_000).toFixed(1)} s`);
