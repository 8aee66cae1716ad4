import { expect } from 'chai';
import { admittedSignal, workflowIds } from '../../contracts/processes/workflows.ts';
import type { Sql } from '../../store/database/connection.ts';
import { admitEverywhere } from '../../store/jobs/admission.ts';
import type { ClaimedJob } from '../../store/jobs/claim-render-job.ts';
import {
  accept,
  cancel,
  claim,
  createDocument,
  createJobIn,
  fail,
  noon,
  plans,
  policyOf,
  readJob,
  requeue,
  retryLater,
  snapshot,
  succeed,
  type TestDocument,
  useDatabase,
} from './store-fixture.ts';

const ceiling = policyOf('blank').maxConcurrentRenderJobs;

interface Admission {
  readonly counted: number;
  readonly admitted: number;
  readonly waiting: number;
}

/** Reads the counter of the workspace and counts its open jobs. */
async function admissionOf(sql: Sql, { workspace }: TestDocument): Promise<Admission> {
  const [row] = await sql<Admission[]>`
    select w.admitted_jobs as counted,
      count(j.id) filter (where j.admitted_at is not null)::int as admitted,
      count(j.id) filter (where j.admitted_at is null)::int as waiting
    from workspaces w left join render_jobs j on j.workspace_id = w.id and j.finished_at is null
    where w.id = ${workspace.id} group by w.id`;
  if (!row) throw new Error('The workspace does not exist.');
  return row;
}

/** Checks that admitted jobs are counted, that they are not above the ceiling, and that no job waits while there is room. */
async function assertAdmission(sql: Sql, document: TestDocument): Promise<void> {
  const { counted, admitted, waiting } = await admissionOf(sql, document);
  expect(counted).to.equal(admitted);
  expect(admitted).to.be.at.most(ceiling);
  if (waiting > 0) expect(admitted).to.equal(ceiling);
}

const isAdmitted = async (sql: Sql, jobId: string): Promise<boolean> =>
  (await sql`select from render_jobs where id = ${jobId} and admitted_at is not null`).length === 1;

const signalsTo = (sql: Sql, jobId: string) => sql`
  select from outbox
  where workflow_id = ${workflowIds.renderJob(jobId)} and message->>'kind' = 'signal'
    and message->>'signal' = ${admittedSignal}`;

describe('admission under the ceiling', () => {
  const database = useDatabase();

  it(`admits ${ceiling} jobs of the blank plan at once and lets the others wait`, async () => {
    const { sql } = database();
    const document = await createDocument(sql, 'blank');
    await Promise.all(Array.from({ length: 20 }, () => accept(sql, document)));
    expect(await admissionOf(sql, document)).to.deep.equal({
      counted: ceiling,
      admitted: ceiling,
      waiting: 20 - ceiling,
    });
  });

  const endings: [string, (sql: Sql, job: ClaimedJob) => Promise<unknown>, boolean][] = [
    ['succeeds', succeed, true],
    ['fails', fail, true],
    ['is canceled', cancel, false],
  ];
  for (const [what, end, claimed] of endings)
    it(`gives the place of a job that ${what} to the oldest waiting job, and signals its workflow`, async () => {
      const { sql } = database();
      const document = await createDocument(sql, 'blank');
      const holder = await createJobIn(sql, document, claimed ? 'rendering' : 'queued');
      await accept(sql, document);
      const { job: oldest } = await accept(sql, document);
      const { job: younger } = await accept(sql, document);
      await end(sql, holder);
      expect(await isAdmitted(sql, oldest.id)).to.equal(true);
      expect(await isAdmitted(sql, younger.id)).to.equal(false);
      expect(await signalsTo(sql, oldest.id)).to.have.lengthOf(1);
      expect(await signalsTo(sql, younger.id)).to.have.lengthOf(0);
      await assertAdmission(sql, document);
    });

  it('stays during a retry and its delay', async () => {
    const { sql } = database();
    const document = await createDocument(sql, 'blank');
    const job = await createJobIn(sql, document, 'retry_scheduled');
    await accept(sql, document);
    const { job: waiting } = await accept(sql, document);
    await requeue(sql, job);
    expect(await isAdmitted(sql, job.jobId)).to.equal(true);
    expect(await isAdmitted(sql, waiting.id)).to.equal(false);
  });

  it('does not change when a waiting job is canceled', async () => {
    const { sql } = database();
    const document = await createDocument(sql, 'blank');
    for (let jobs = 0; jobs < ceiling; jobs++) await accept(sql, document);
    const { job } = await accept(sql, document);
    await cancel(sql, await readJob(sql, job.id));
    expect(await admissionOf(sql, document)).to.include({ counted: ceiling, waiting: 0 });
  });

  it('is extended by reconciliation after a change to a larger plan', async () => {
    const { sql } = database();
    const document = await createDocument(sql, 'blank');
    for (let jobs = 0; jobs < 5; jobs++) await accept(sql, document);
    await sql`update workspaces set plan = 'pro' where id = ${document.workspace.id}`;
    await admitEverywhere(sql, plans, noon);
    expect(await admissionOf(sql, document)).to.deep.equal({ counted: 5, admitted: 5, waiting: 0 });
    const before = await snapshot(sql, document.workspace.id);
    await admitEverywhere(sql, plans, noon);
    expect(await snapshot(sql, document.workspace.id)).to.deep.equal(before);
  });

  /** A small seeded generator (mulberry32), so that a failing sequence can be repeated. */
  function createRandom(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
    };
  }

  for (const seed of [1, 2, 3])
    it(`is correct after random events, eight at once (seed ${seed})`, async () => {
      const { sql } = database();
      const random = createRandom(seed);
      const document = await createDocument(sql, 'blank');
      const jobs: string[] = [];
      const steps: ((job: ClaimedJob) => Promise<unknown>)[] = [
        (job) => succeed(sql, job),
        (job) => fail(sql, job),
        (job) => retryLater(sql, job),
        (job) => requeue(sql, job),
        (job) => cancel(sql, job).catch(() => {}),
        ({ jobId }) => claim(sql, jobId, noon + random(1_000)),
      ];
      const act = async (): Promise<void> => {
        const step = steps[random(steps.length + 3)];
        const jobId = jobs[random(jobs.length + 1)];
        if (step && jobId) await step(await readJob(sql, jobId));
        else jobs.push((await accept(sql, document)).job.id);
      };
      for (let round = 0; round < 25; round++) {
        await Promise.all(Array.from({ length: 8 }, act));
        await assertAdmission(sql, document);
      }
    });
});
