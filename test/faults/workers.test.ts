import { expect } from 'chai';
import { isTerminal } from '../../contracts/states.ts';
import { poll } from '../support/poll.ts';
import { type FaultRig, kill, withService } from './fault-fixture.ts';
import { browsersOf, isRunning, processesBelow } from './processes.ts';

/** Starting two workers and a lost one's heartbeats take most of it. */
const timeoutMs = 120_000;

describe('a worker that is lost', function () {
  this.timeout(timeoutMs);

  it('killed in mid-render: its Chromium ends, and another worker prints the job once', () =>
    withService({ workers: 2 }, async (rig) => {
      const jobId = await rig.post(5_000);
      await rig.until(jobId, 'rendering');
      const worker = await rig.workerOf(jobId);
      const chromium = processesBelow(worker.pid);
      expect(chromium).not.to.have.lengthOf(0);
      const killedAt = Date.now();
      await kill(worker);
      await within(5_000, 'Chromium to end', () => !chromium.some(isRunning));
      report('Chromium gone', killedAt);
      await within(15_000 - (Date.now() - killedAt), 'another worker', async () => {
        const { workflowAttempt } = await rig.row(jobId);
        return workflowAttempt === 2;
      });
      report('another worker has the job', killedAt);
      expect(await rig.until(jobId, 'succeeded')).to.include({ attempt: 0, workflowAttempt: 2 });
    }));

  it('killed between the PDF and its row: the job has one output', () =>
    withService({ workers: 2 }, async (rig) => {
      const { sql } = rig.service.database;
      const jobId = await rig.post(1_500);
      await rig.until(jobId, 'rendering');
      const worker = await rig.workerOf(jobId);
      await sql.begin(async (tx) => {
        // Settling takes this lock first, so that the attempt ends here: its PDF is stored, its row is not.
        await tx`select id from workspaces where id = ${rig.workspace.id} for update`;
        await poll('the attempt that waits to settle', async () => {
          const [waiting] = await sql`
            select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%workspaces%'`;
          return waiting;
        });
        await kill(worker);
      });
      const killedAt = Date.now();
      expect(await rig.until(jobId, 'succeeded')).to.include({ attempt: 0, workflowAttempt: 2 });
      report('printed by another worker', killedAt);
      const outputs = await sql<{ blobKey: string }[]>`
        select blob_key from render_outputs where job_id = ${jobId}`;
      expect(outputs).to.have.lengthOf(1);
      expect(outputs[0]?.blobKey).to.match(/\/2\.pdf$/);
    }));

  it('stopped until another has its job, then continued: the stale attempt changes nothing', () =>
    withService({ workers: 2 }, async (rig) => {
      const { sql } = rig.service.database;
      const jobId = await rig.post(3_000);
      await rig.until(jobId, 'rendering');
      const worker = await rig.workerOf(jobId);
      process.kill(worker.pid, 'SIGSTOP');
      const stoppedAt = Date.now();
      try {
        await rig.until(jobId, 'rendering', 2);
        report('another worker has the job', stoppedAt);
      } finally {
        process.kill(worker.pid, 'SIGCONT');
      }
      const row = await rig.until(jobId, 'succeeded');
      expect(row).to.include({ attempt: 0 });
      const read = () => sql`
        select j.*, o.blob_key, o.sha256, o.created_at from render_jobs j
        join render_outputs o on o.job_id = j.id where j.id = ${jobId}`;
      const before = await read();
      // It ends when its prints have ended: nothing of the stale attempt comes later.
      expect(await worker.end('SIGTERM')).to.equal(0);
      expect([...(await read())]).to.eql([...before]);
      expect(before[0]?.blobKey).to.match(new RegExp(`/${row.workflowAttempt}\\.pdf$`));
    }));

  it('told to stop with 20 jobs queued: it finishes its prints, and another prints the rest', () =>
    withService({ workers: 1 }, async (rig) => {
      const jobIds = await Promise.all(Array.from({ length: 20 }, () => rig.post(700)));
      const [first] = await poll('a job that renders', () => jobsThat(rig, 'rendering'));
      const [worker] = rig.service.workers;
      if (!worker || !first) throw new Error('Nothing renders.');
      const toldAt = Date.now();
      expect(await worker.end('SIGTERM')).to.equal(0);
      report('the worker ended', toldAt);
      expect(Date.now() - toldAt).to.be.lessThan(10_000);
      expect(await jobsThat(rig, 'rendering')).to.equal(undefined);
      expect((await rig.row(first)).status).to.equal('succeeded');
      await rig.startWorker();
      const restAt = Date.now();
      const rows = await Promise.all(jobIds.map((jobId) => rig.until(jobId, 'succeeded')));
      report('the rest is printed', restAt);
      for (const row of rows) expect(row).to.include({ attempt: 0, workflowAttempt: 1 });
    }));
});

/** A render that was claimed so long ago has its browser, also where that had to start. */
const browserStartMs = 2_000;

describe('a Chromium that is killed', function () {
  this.timeout(timeoutMs);
  const options = { workers: 1, env: { RENDER_RETRY_DELAYS: '1s,1s' } };

  it('is noticed within a second; the job is printed again, and fails after three times', () =>
    withService(options, async (rig) => {
      const survivor = await rig.post(4_000);
      await killChromium(rig, survivor, 0);
      expect(await rig.until(survivor, 'succeeded')).to.include({ attempt: 1 });

      const victim = await rig.post(5_000);
      for (const attempt of [0, 1, 2]) await killChromium(rig, victim, attempt);
      const row = await rig.until(victim, 'failed');
      expect(row).to.include({ attempt: 2, errorCode: 'render_crashed' });
    }));

  const killChromium = async (rig: FaultRig, jobId: string, attempt: number): Promise<void> => {
    await poll(`attempt ${attempt} to hold its browser`, async () => {
      const [held] = await rig.service.database.sql`
        select 1 from render_attempts a join render_jobs j on j.id = a.job_id
        where j.id = ${jobId} and j.status = 'rendering' and j.attempt = ${attempt}
          and a.workflow_attempt = j.workflow_attempt and a.claimed_at < ${Date.now() - browserStartMs}`;
      return held;
    });
    const { pid } = await rig.workerOf(jobId);
    const killedAt = Date.now();
    for (const browser of browsersOf(pid)) process.kill(browser, 'SIGKILL');
    await within(1_000, 'the crash to be noticed', async () => {
      const { status } = await rig.row(jobId);
      return status === 'retry_scheduled' || isTerminal(status);
    });
    report('noticed', killedAt);
  };
});

const jobsThat = async (rig: FaultRig, status: string): Promise<string[] | undefined> => {
  const rows = await rig.service.database.sql<{ id: string }[]>`
    select id from render_jobs where status = ${status}`;
  return rows.length > 0 ? rows.map(({ id }) => id) : undefined;
};

/** Polls for what a fault promises, as long as it may take. */
const within = (ms: number, what: string, ask: () => boolean | Promise<boolean>): Promise<true> =>
  poll(what, async () => ((await ask()) ? true : undefined), ms);

/** How long it took, for whoever compares runs. */
const report = (what: string, since: number): void =>
  console.log(`      ${what}: ${((Date.now() - since) / 1_000).toFixed(1)} s`);
