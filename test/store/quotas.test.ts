import { expect } from 'chai';
import { billPeriodOf } from '../../contracts/bill-period.ts';
import type { Sql } from '../../store/database/connection.ts';
import { publishVersion } from '../../store/deploys/publish-version.ts';
import { claimRenderJob } from '../../store/jobs/claim-render-job.ts';
import { succeedRenderJob } from '../../store/jobs/end-render-job.ts';
import { plansWith } from '../support/plans.ts';
import {
  accept,
  attemptResult,
  beginTestCommit,
  cancel,
  claim,
  codeOf,
  commitBodyOf,
  createDocument,
  createFile,
  createJobIn,
  createTestSession,
  fail,
  noon,
  pdfOf,
  policyOf,
  readJob,
  renderPackage,
  retryLater,
  succeed,
  type TestDocument,
  useDatabase,
} from './store-fixture.ts';

const simultaneous = 500;
const quota = 10;
const reservedMs = 1_000;

/** Counts how the calls end: `done`, or the code of the error. */
const outcomesOf = async (calls: readonly Promise<unknown>[]): Promise<Map<string, number>> => {
  const outcomes = new Map<string, number>();
  const settled = await Promise.allSettled(calls);
  for (const result of settled) {
    const outcome = result.status === 'fulfilled' ? 'done' : String(result.reason.code);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return outcomes;
};

async function countersOf(sql: Sql, workspaceId: string, now = noon) {
  const [period] = await sql`
    select deploy_commits, render_jobs, render_time_ms, reserved_render_time_ms from usage_periods
    where workspace_id = ${workspaceId} and period_start = ${billPeriodOf(now).start}`;
  const [storage] = await sql`
    select deploy_version_bytes, managed_pdf_bytes, render_output_bytes from storage_usage
    where workspace_id = ${workspaceId}`;
  return { ...period, ...storage };
}

describe('quotas', function () {
  this.timeout(60_000);
  const database = useDatabase();
  let document: TestDocument;
  beforeEach(async () => {
    document = await createDocument(database().sql);
  });

  it(`accept and count exactly ${quota} of ${simultaneous} simultaneous jobs`, async () => {
    const { sql } = database();
    const plans = plansWith({ maxRenderJobsPerBillPeriod: quota });
    const calls = Array.from({ length: simultaneous }, () => accept(sql, document, { plans }));
    const outcomes = await outcomesOf(calls);
    expect(outcomes.get('done')).to.equal(quota);
    expect(outcomes.get('render_job_quota_exceeded')).to.equal(simultaneous - quota);
    const rows = await sql`select 1 from render_jobs where deploy_id = ${document.deployId}`;
    expect(rows.length).to.equal(quota);
    expect(await countersOf(sql, document.workspace.id)).to.include({ renderJobs: quota });
  });

  it(`publish exactly as many of ${simultaneous} simultaneous commits as are left`, async () => {
    const { sql } = database();
    const plans = plansWith({ maxDeployCommitsPerBillPeriod: quota });
    const sessions = await Promise.all(
      Array.from({ length: simultaneous }, async () => {
        const files = [createFile()];
        const uploadSessionId = await createTestSession(sql, document, files);
        await beginTestCommit(sql, document.workspace, uploadSessionId, commitBodyOf(files));
        return uploadSessionId;
      }),
    );
    const outcomes = await outcomesOf(
      sessions.map((uploadSessionId) =>
        publishVersion(sql, plans, { uploadSessionId, renderPackage, now: noon }),
      ),
    );
    // Creating the document was one commit.
    expect(outcomes.get('done')).to.equal(quota - 1);
    expect(outcomes.get('deploy_commit_quota_exceeded')).to.equal(simultaneous - quota + 1);
    const rows =
      await sql`select bytes from deploy_versions where deploy_id = ${document.deployId}`;
    expect(await countersOf(sql, document.workspace.id)).to.include({
      deployCommits: rows.length,
      deployVersionBytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    });
  });

  it(`reserve render time for exactly ${quota} of ${simultaneous} simultaneous claims`, async () => {
    const { sql } = database();
    const jobs = await Promise.all(
      Array.from({ length: simultaneous }, () => accept(sql, document)),
    );
    const plans = plansWith({
      maxRenderTimeoutMs: reservedMs,
      maxRenderTimeMsPerBillPeriod: quota * reservedMs,
    });
    const claims = await Promise.all(
      jobs.map(({ job }) =>
        claimRenderJob(sql, plans, { jobId: job.id, scheduledAt: noon, now: noon }),
      ),
    );
    expect(claims.filter(Boolean), 'the others wait').to.have.lengthOf(quota);
    const [rows] = await sql`
      select count(*)::int as count, sum(a.reserved_ms)::int as reserved from render_attempts a
      join render_jobs j on j.id = a.job_id where j.deploy_id = ${document.deployId} and j.status = 'rendering'`;
    expect(rows).to.deep.equal({ count: quota, reserved: quota * reservedMs });
    expect(await countersOf(sql, document.workspace.id)).to.include({
      reservedRenderTimeMs: quota * reservedMs,
      renderTimeMs: 0,
    });
  });

  it(`store exactly as many of ${simultaneous} simultaneous PDFs as there is room for`, async () => {
    const { sql } = database();
    const jobs = await Promise.all(
      Array.from({ length: simultaneous }, (_, place) =>
        createJobIn(sql, document, 'rendering', {
          body: { outputMode: place % 2 ? 'managed' : 'transient' },
        }),
      ),
    );
    const before = await countersOf(sql, document.workspace.id);
    const { bytes } = pdfOf('');
    const plans = plansWith({
      storageLimitBytes: Number(Reflect.get(before, 'deployVersionBytes')) + quota * bytes + 1,
    });
    const outcomes = await outcomesOf(
      jobs.map((job) => succeedRenderJob(sql, plans, job, pdfOf(job.jobId), attemptResult, 1_000)),
    );
    expect(outcomes.get('done')).to.equal(quota);
    expect(outcomes.get('storage_limit_exceeded')).to.equal(simultaneous - quota);
    const [rows] = await sql`
      select (select coalesce(sum(bytes), 0)::int from pdfs where workspace_id = ${document.workspace.id}) as managed_pdf_bytes,
        (select coalesce(sum(o.bytes), 0)::int from render_outputs o where workspace_id = ${document.workspace.id}
          and not exists (select from pdfs p where p.job_id = o.job_id)) as render_output_bytes`;
    expect(await countersOf(sql, document.workspace.id)).to.include(rows as object);
    expect(rows?.managedPdfBytes + rows?.renderOutputBytes).to.equal(quota * bytes);
  });

  it('give a claim the rest of the month, with the quota as the reason of its time limit', async () => {
    const { sql } = database();
    const { job } = await accept(sql, document);
    const plans = plansWith({ maxRenderTimeMsPerBillPeriod: 700 });
    const claimed = await claimRenderJob(sql, plans, {
      jobId: job.id,
      scheduledAt: noon,
      now: noon,
    });
    expect(claimed).to.include({
      renderTimeoutMs: 700,
      timeoutCode: 'render_time_quota_exceeded',
    });
  });

  it('refuse a claim and change nothing if all render time of the month is used', async () => {
    const { sql } = database();
    const [first, second] = [await accept(sql, document), await accept(sql, document)];
    const plans = plansWith({ maxRenderTimeMsPerBillPeriod: 100 });
    const claimOf = (jobId: string) =>
      claimRenderJob(sql, plans, { jobId, scheduledAt: noon, now: noon });
    await claimOf(first.job.id);
    expect(await claimOf(second.job.id), 'it may get some back').to.equal(undefined);
    await succeed(sql, await readJob(sql, first.job.id));
    expect(await codeOf(claimOf(second.job.id))).to.equal('render_time_quota_exceeded');
    const [row] = await sql`select status, started_at from render_jobs where id = ${second.job.id}`;
    expect(row).to.deep.equal({ status: 'queued', startedAt: null });
  });

  it('make a claim wait if other attempts have reserved the render time that it needs', async () => {
    const { sql } = database();
    const plans = plansWith({
      maxRenderTimeoutMs: reservedMs,
      maxRenderTimeMsPerBillPeriod: reservedMs + 300,
    });
    const [first, second] = [await accept(sql, document), await accept(sql, document)];
    const claimOf = (jobId: string) =>
      claimRenderJob(sql, plans, { jobId, scheduledAt: noon, now: noon });
    await claimOf(first.job.id);
    expect(await claimOf(second.job.id), 'it waits').to.equal(undefined);
    await succeed(sql, await readJob(sql, first.job.id));
    expect(await claimOf(second.job.id)).to.include({
      renderTimeoutMs: reservedMs,
      timeoutCode: 'render_timeout_exceeded',
    });
  });

  it('accept a job while running attempts have reserved all render time, and refuse it when all is used', async () => {
    const { sql } = database();
    const plans = plansWith({ maxRenderTimeMsPerBillPeriod: 100 });
    const { job } = await accept(sql, document);
    await claimRenderJob(sql, plans, { jobId: job.id, scheduledAt: noon, now: noon });
    await accept(sql, document, { plans });
    await succeed(sql, await readJob(sql, job.id));
    expect(await codeOf(accept(sql, document, { plans }))).to.equal('render_time_quota_exceeded');
  });

  it('refuse a job if the storage is full', async () => {
    const { sql } = database();
    const full = plansWith({ storageLimitBytes: 1 });
    expect(await codeOf(accept(sql, document, { plans: full }))).to.equal('storage_limit_exceeded');
  });

  it('refuse a commit before anything is packed if no commit is left', async () => {
    const { sql } = database();
    const files = [createFile()];
    const uploadSessionId = await createTestSession(sql, document, files);
    const plans = plansWith({ maxDeployCommitsPerBillPeriod: 1 });
    const begun = beginTestCommit(sql, document.workspace, uploadSessionId, commitBodyOf(files), {
      plans,
    });
    expect(await codeOf(begun)).to.equal('deploy_commit_quota_exceeded');
    const [session] = await sql`select status from upload_sessions where id = ${uploadSessionId}`;
    expect(session?.status).to.equal('open');
  });

  it('do not count a job that never rendered, and count one that did', async () => {
    const { sql } = database();
    const jobsCounted = async () =>
      Number(Reflect.get(await countersOf(sql, document.workspace.id), 'renderJobs'));
    await cancel(sql, await createJobIn(sql, document, 'queued'));
    expect(await jobsCounted()).to.equal(0);
    await fail(sql, await createJobIn(sql, document, 'queued'));
    expect(await jobsCounted()).to.equal(0);
    await cancel(sql, await createJobIn(sql, document, 'retry_scheduled'));
    expect(await jobsCounted()).to.equal(1);
  });

  it('charge an attempt once, rounded up to 100 ms, and free its reserved time', async () => {
    const { sql } = database();
    const job = await createJobIn(sql, document, 'rendering');
    await succeed(sql, job);
    const charged = { renderTimeMs: 100, reservedRenderTimeMs: 0 };
    expect(await countersOf(sql, document.workspace.id)).to.include(charged);
    await fail(sql, job);
    expect(await countersOf(sql, document.workspace.id)).to.include(charged);
  });

  it('charge nothing for a lost worker, and reserve the time of one claim only', async () => {
    const { sql } = database();
    const job = await createJobIn(sql, document, 'rendering');
    await claim(sql, job.jobId, noon + 60_000);
    const { maxRenderTimeoutMs } = policyOf('self_hosted');
    expect(await countersOf(sql, document.workspace.id)).to.include({
      renderTimeMs: 0,
      reservedRenderTimeMs: maxRenderTimeoutMs,
    });
    await retryLater(sql, await readJob(sql, job.jobId));
    expect(await countersOf(sql, document.workspace.id)).to.include({ reservedRenderTimeMs: 0 });
  });

  it('give every one of the first simultaneous claims of a month its time', async () => {
    const { sql } = database();
    const jobs = await Promise.all(Array.from({ length: 8 }, () => accept(sql, document)));
    const nextMonth = billPeriodOf(noon).end;
    const claims = await Promise.all(jobs.map(({ job }) => claim(sql, job.id, nextMonth)));
    expect(claims.filter(Boolean)).to.have.lengthOf(8);
  });

  it('can be as large as the largest safe integer', async () => {
    const { sql } = database();
    const largest = Number.MAX_SAFE_INTEGER;
    const plans = plansWith({
      maxRenderJobsPerBillPeriod: largest,
      maxDeployCommitsPerBillPeriod: largest,
    });
    await accept(sql, document, { plans });
    const files = [createFile()];
    const uploadSessionId = await createTestSession(sql, document, files);
    await beginTestCommit(sql, document.workspace, uploadSessionId, commitBodyOf(files), { plans });
    await publishVersion(sql, plans, { uploadSessionId, renderPackage, now: noon });
  });

  it('start again with the month, to the millisecond', async () => {
    const { sql } = database();
    const plans = plansWith({ maxRenderJobsPerBillPeriod: 1 });
    const lastMoment = Date.UTC(2028, 2) - 1; // 29 February 2028, 23:59:59.999
    await accept(sql, document, { plans, now: lastMoment });
    expect(await codeOf(accept(sql, document, { plans, now: lastMoment }))).to.equal(
      'render_job_quota_exceeded',
    );
    await accept(sql, document, { plans, now: lastMoment + 1 });
    expect(await countersOf(sql, document.workspace.id, lastMoment)).to.include({ renderJobs: 1 });
    expect(await countersOf(sql, document.workspace.id, lastMoment + 1)).to.include({
      renderJobs: 1,
    });
  });
});
