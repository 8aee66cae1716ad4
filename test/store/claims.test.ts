import { expect } from 'chai';
import type { Sql } from '../../store/database/connection.ts';
import type { ClaimedJob } from '../../store/jobs/claim-render-job.ts';
import { recordAttempt } from '../../store/jobs/render-attempts.ts';
import { getJobSnapshot } from '../../store/jobs/render-jobs.ts';
import {
  accept,
  attemptResult,
  cancel,
  claim,
  createDocument,
  createJobIn,
  fail,
  noon,
  readJob,
  retryLater,
  snapshot,
  succeed,
  type TestDocument,
  useDatabase,
} from './store-fixture.ts';

const event = { createdAt: noon, level: 'info', stage: 'print', message: 'printed' } as const;
const races = 200;
const atOnce = 5;

describe('claims', () => {
  const database = useDatabase();
  let document: TestDocument;
  before(async () => {
    document = await createDocument(database().sql);
  });

  it('return the data that a worker needs, and record that rendering has started', async () => {
    const { sql } = database();
    const { job } = await accept(sql, document, { body: { payload: 'x', businessKey: 'key' } });
    const claimed = await claim(sql, job.id);
    expect(claimed).to.include({ jobId: job.id, attempt: 0, workflowAttempt: 1 });
    expect(claimed?.document).to.include({ type: 'package', route: 'index.html' });
    expect(claimed?.payload.bytes.toString()).to.equal('"x"');
    expect(claimed?.fileStem.businessKey).to.equal('key');
    const [row] = await sql`select status, started_at from render_jobs where id = ${job.id}`;
    expect(row).to.deep.equal({ status: 'rendering', startedAt: noon });
  });

  it('go to the activity that Temporal scheduled later, however late the other one runs', async () => {
    const { sql } = database();
    const { job } = await accept(sql, document);
    expect(await claim(sql, job.id, noon + 1)).to.include({ workflowAttempt: 1 });
    expect(await claim(sql, job.id, noon + 2)).to.include({ workflowAttempt: 2 });
    for (const late of [noon + 1, noon + 2])
      expect(await claim(sql, job.id, late)).to.equal(undefined);
    expect(await readJob(sql, job.id)).to.include({ workflowAttempt: 2 });
  });

  it('go to the latest of many activities at once', async () => {
    const { sql } = database();
    const { job } = await accept(sql, document);
    const schedules = Array.from({ length: 10 }, (_, index) => noon + ((index * 7) % 10));
    const claims = await Promise.all(schedules.map((at) => claim(sql, job.id, at)));
    const { workflowAttempt } = await readJob(sql, job.id);
    const winner = claims.findIndex((claimed) => claimed?.workflowAttempt === workflowAttempt);
    expect(schedules[winner]).to.equal(noon + 9);
  });

  it('keep the start of rendering when a worker takes the job over from a lost one', async () => {
    const { sql } = database();
    const { job } = await accept(sql, document);
    await claim(sql, job.id, noon);
    await claim(sql, job.id, noon + 60_000);
    const [row] = await sql`select started_at from render_jobs where id = ${job.id}`;
    expect(row?.startedAt).to.equal(noon);
  });

  const settlements = { succeed, fail, retryLater } as const;
  const record = (sql: Sql, job: ClaimedJob) =>
    recordAttempt(sql, job, { ...attemptResult, events: [event] });
  for (const [name, settle] of Object.entries({ ...settlements, record }))
    it(`that are stale change nothing with ${name}`, async () => {
      const { sql } = database();
      const { job } = await accept(sql, document);
      const stale = await claim(sql, job.id, noon);
      await claim(sql, job.id, noon + 1);
      const before = await snapshot(sql, document.workspace.id);
      if (!stale) throw new Error('The job was not claimed.');
      expect(await settle(sql, stale)).to.be.oneOf([false, undefined]);
      expect(await snapshot(sql, document.workspace.id)).to.deep.equal(before);
    });

  it('record their result and its log once', async () => {
    const { sql } = database();
    const job = await createJobIn(sql, document, 'rendering');
    for (let time = 0; time < 2; time += 1) await record(sql, job);
    const logs = await sql`select message from render_job_logs where job_id = ${job.jobId}`;
    expect([...logs]).to.deep.equal([{ message: event.message }]);
  });

  for (const [name, settle] of Object.entries(settlements))
    it(`settle with ${name} once, even if it is called five times at once`, async () => {
      const { sql } = database();
      const job = await createJobIn(sql, document, 'rendering');
      const settled = await Promise.all(Array.from({ length: 5 }, () => settle(sql, job)));
      expect(settled.filter(Boolean)).to.have.lengthOf(1);
    });

  it(`and simultaneous cancels: exactly one of the two wins, ${races} times`, async () => {
    const { sql } = database();
    const wins = { claim: 0, cancel: 0 };
    const race = async (): Promise<void> => {
      const { job } = await accept(sql, document);
      const holder = await readJob(sql, job.id);
      const [canceled, claimed] = await Promise.all([
        cancel(sql, holder).then(
          () => true,
          () => false,
        ),
        claim(sql, job.id).then(Boolean),
      ]);
      expect([canceled, claimed].filter(Boolean)).to.have.lengthOf(1);
      const { status } = await getJobSnapshot(sql, job.id);
      expect(status).to.equal(claimed ? 'rendering' : 'canceled');
      wins[claimed ? 'claim' : 'cancel']++;
    };
    for (let raced = 0; raced < races; raced += atOnce)
      await Promise.all(Array.from({ length: atOnce }, race));
    expect(wins.claim + wins.cancel).to.equal(races);
  });
});
