import { expect } from 'chai';
import fc from 'fast-check';
import { billPeriodOf, usageDayOf } from '../../contracts/bill-period.ts';
import { usageReportSchema } from '../../contracts/rest/schemas/usage.ts';
import { dayMs } from '../../contracts/units.ts';
import type { Sql } from '../../store/database/connection.ts';
import { deleteDeployVersion } from '../../store/deploys/deploy-versions.ts';
import { publishVersion } from '../../store/deploys/publish-version.ts';
import { claimRenderJob } from '../../store/jobs/claim-render-job.ts';
import {
  cancelRenderJob,
  failRenderJob,
  succeedRenderJob,
} from '../../store/jobs/end-render-job.ts';
import { deleteExpiredOutputs, deleteOutput } from '../../store/jobs/outputs.ts';
import { deletePdf } from '../../store/jobs/pdfs.ts';
import { recordAttempt } from '../../store/jobs/render-attempts.ts';
import { requeueRenderJob, scheduleRetry } from '../../store/jobs/retry-render-job.ts';
import { getUsageReport } from '../../store/usage/usage-report.ts';
import {
  accept,
  attemptResult,
  beginTestCommit,
  commitBodyOf,
  createDocument,
  createFile,
  createJobIn,
  createTestSession,
  failure,
  noon,
  pdfOf,
  plans,
  readJob,
  renderPackage,
  type TestDocument,
  useDatabase,
} from './store-fixture.ts';

const operations = 1_000;

/** One step of a random history of a workspace: the operation, the row that it changes, and its numbers. */
const step = fc.record({
  operation: fc.constantFrom(
    ...([
      'accept',
      'accept',
      'claim',
      'claim',
      'succeed',
      'succeed',
      'fail',
      'lose',
      'retry',
      'requeue',
      'cancel',
    ] as const),
    ...(['deleteOutput', 'deletePdf', 'expireOutputs', 'commit', 'deleteVersion', 'wait'] as const),
  ),
  pick: fc.nat(),
  size: fc.integer({ min: 1, max: 5_000_000 }),
  browserMs: fc.integer({ min: 0, max: 400_000 }),
  managed: fc.boolean(),
  /** Usually a moment and sometimes days, so that months end during the history. */
  passedMs: fc.oneof(
    { weight: 50, arbitrary: fc.integer({ min: 1, max: 60_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: dayMs, max: 9 * dayMs }) },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Runs the step at `now` if there is a row for it. */
async function run(sql: Sql, document: TestDocument, { operation, ...step }: Step, now: number) {
  const workspaceId = document.workspace.id;
  /** Picks one of the ids that a query returns. */
  const pickOne = async (query: PromiseLike<readonly { id: string }[]>) => {
    const rows = await query;
    return rows[step.pick % Math.max(1, rows.length)]?.id;
  };
  const jobIn = async (...states: string[]) => {
    const id = await pickOne(
      sql`select id from render_jobs where workspace_id = ${workspaceId} and status = any(${states}) order by id`,
    );
    return id === undefined ? undefined : readJob(sql, id);
  };
  const end = {
    outcome: 'interrupted' as const,
    timings: { browserMs: step.browserMs },
    events: [],
    finishedAt: now,
  };
  switch (operation) {
    case 'accept':
      return accept(sql, document, {
        now,
        body: { outputMode: step.managed ? 'managed' : 'transient' },
      });
    case 'claim': {
      const job = await jobIn('queued');
      return job && claimRenderJob(sql, plans, { jobId: job.jobId, scheduledAt: now, now });
    }
    case 'lose': {
      const job = await jobIn('rendering');
      return job && claimRenderJob(sql, plans, { jobId: job.jobId, scheduledAt: now, now });
    }
    case 'succeed': {
      const job = await jobIn('rendering');
      const pdf = job && { ...pdfOf(job.jobId), bytes: step.size };
      return pdf && succeedRenderJob(sql, plans, job, pdf, { ...attemptResult, ...end }, 3 * dayMs);
    }
    case 'fail': {
      const job = await jobIn('rendering', 'queued');
      if (job && job.workflowAttempt > 0) await recordAttempt(sql, job, end);
      return job && failRenderJob(sql, plans, { ...job, failure, now });
    }
    case 'retry': {
      const job = await jobIn('rendering');
      if (job) await recordAttempt(sql, job, end);
      return job && scheduleRetry(sql, { ...job, failure, retryAt: now, now });
    }
    case 'requeue': {
      const job = await jobIn('retry_scheduled');
      return job && requeueRenderJob(sql, { jobId: job.jobId, now });
    }
    case 'cancel': {
      const job = await jobIn('queued', 'retry_scheduled');
      return job && cancelRenderJob(sql, plans, { ...job, now });
    }
    case 'deleteOutput': {
      const jobId = await pickOne(
        sql`select job_id as id from render_outputs where workspace_id = ${workspaceId} and state = 'available' order by id`,
      );
      return jobId && deleteOutput(sql, { workspaceId, jobId, now });
    }
    case 'deletePdf': {
      const pdfId = await pickOne(
        sql`select id from pdfs where workspace_id = ${workspaceId} and state = 'available' order by id`,
      );
      return pdfId && deletePdf(sql, { workspaceId, pdfId, now });
    }
    case 'expireOutputs':
      return deleteExpiredOutputs(sql, now, 10);
    case 'commit': {
      const files = [createFile()];
      const uploadSessionId = await createTestSession(sql, document, files, { now });
      await beginTestCommit(sql, document.workspace, uploadSessionId, commitBodyOf(files), { now });
      return publishVersion(sql, plans, { uploadSessionId, renderPackage, now });
    }
    case 'deleteVersion': {
      const { deployId, deployVersionId } = document;
      const versionId = await pickOne(
        sql`select id from deploy_versions where deploy_id = ${deployId} and status = 'ready' and id <> ${deployVersionId}`,
      );
      return versionId && deleteDeployVersion(sql, { deployId, versionId, now });
    }
    case 'wait':
      return undefined;
  }
}

/** Computes the numbers of the report again from the raw rows. */
async function recompute(sql: Sql, workspaceId: string, now: number) {
  const { start, end } = billPeriodOf(now);
  const [counts] = await sql`
    select
      (select count(*)::int from deploy_versions where workspace_id = ${workspaceId} and created_at >= ${start} and created_at < ${end})
        as deploy_commits,
      (select count(*)::int from render_jobs where workspace_id = ${workspaceId} and requested_at >= ${start} and requested_at < ${end}
        and not (finished_at is not null and started_at is null)) as render_jobs,
      (select coalesce(sum(least(ceil(coalesce(a.browser_ms, 0) / 100.0) * 100, j.render_timeout_ms)), 0)::int
        from render_attempts a join render_jobs j on j.id = a.job_id
        where j.workspace_id = ${workspaceId} and a.claimed_at >= ${start} and a.claimed_at < ${end} and a.finished_at is not null)
        as render_time_ms,
      (select coalesce(sum(bytes), 0)::float8 from deploy_versions where workspace_id = ${workspaceId} and status = 'ready')
        as deploy_version_storage_bytes,
      (select coalesce(sum(bytes), 0)::float8 from pdfs where workspace_id = ${workspaceId} and state = 'available')
        as managed_pdf_storage_bytes,
      (select coalesce(sum(o.bytes), 0)::float8 from render_outputs o join render_jobs j on j.id = o.job_id
        where o.workspace_id = ${workspaceId} and o.state = 'available' and j.output_mode = 'transient')
        as render_output_storage_bytes`;
  const pdfs = await sql<{ bytes: number; createdAt: number; deletedAt: number | null }[]>`
    select bytes, created_at, deleted_at from pdfs where workspace_id = ${workspaceId}`;
  const changes = pdfs
    .flatMap(({ bytes, createdAt, deletedAt }) => [
      { at: createdAt, bytes },
      ...(deletedAt === null ? [] : [{ at: deletedAt, bytes: -bytes }]),
    ])
    .sort((a, b) => a.at - b.at);
  const peaks: { day: string; peakBytes: number }[] = [];
  for (let at = start; at <= now; at += dayMs) {
    let stored = sumOf(changes.filter((change) => change.at < at));
    let peakBytes = stored;
    for (const change of changes.filter((one) => one.at >= at && one.at < at + dayMs)) {
      stored += change.bytes;
      peakBytes = Math.max(peakBytes, stored);
    }
    peaks.push({ day: usageDayOf(at), peakBytes });
  }
  return { counts, peaks };
}

const sumOf = (changes: readonly { bytes: number }[]): number =>
  changes.reduce((sum, { bytes }) => sum + bytes, 0);

describe('the usage report', function () {
  this.timeout(120_000);
  const database = useDatabase();

  it(`matches the rows after every 20th of ${operations} random operations over months`, async () => {
    const { sql } = database();
    const months = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: operations, maxLength: operations, size: 'max' }),
        async (steps) => {
          const document = await createDocument(sql);
          const workspaceId = document.workspace.id;
          let now = noon;
          for (const [place, one] of steps.entries()) {
            now += one.passedMs;
            await run(sql, document, one, now);
            const isChecked = place % 20 === 0 || place === steps.length - 1;
            if (!isChecked) continue;
            months.add(billPeriodOf(now).start);
            const report = usageReportSchema.parse(
              await getUsageReport(sql, plans, { workspaceId, now }),
            );
            const { counts, peaks } = await recompute(sql, workspaceId, now);
            const [commits, jobs, time] = report.usageMeters;
            const { totalBytes, ...live } = report.liveStorage;
            expect({
              deployCommits: commits?.totalQuantity,
              renderJobs: jobs?.totalQuantity,
              renderTimeMs: time?.totalQuantity,
              ...live,
            }).to.deep.equal(counts);
            expect(totalBytes).to.equal(Object.values(live).reduce((sum, bytes) => sum + bytes));
            const [meter] = report.storageMeters;
            expect(
              meter?.peakBytesByDay.map(({ day, peakBytes }) => ({ day, peakBytes })),
            ).to.deep.equal(peaks);
          }
        },
      ),
      { numRuns: 1, endOnFailure: true },
    );
    expect(months.size).to.be.greaterThan(1);
  });

  it('keeps the whole peak of a day if two clocks disagree about midnight', async () => {
    const { sql } = database();
    const document = await createDocument(sql);
    const workspaceId = document.workspace.id;
    const midnight = Date.UTC(2026, 0, 2);
    for (const finishedAt of [midnight, midnight - 1]) {
      const { job } = await accept(sql, document, { body: { outputMode: 'managed' } });
      await claimRenderJob(sql, plans, { jobId: job.id, scheduledAt: noon, now: noon });
      const holder = await readJob(sql, job.id);
      const result = { ...attemptResult, finishedAt };
      await succeedRenderJob(sql, plans, holder, pdfOf(job.id), result, dayMs);
    }
    const { storageMeters } = await getUsageReport(sql, plans, { workspaceId, now: midnight });
    const [meter] = storageMeters;
    expect(meter?.peakBytesByDay.at(-1)?.peakBytes).to.equal(meter?.currentBytes);
    expect(meter?.currentBytes).to.equal(2 * pdfOf('').bytes);
  });

  it('includes every day of February in a leap year, also days without a change', async () => {
    const { sql } = database();
    const document = await createDocument(sql);
    const workspaceId = document.workspace.id;
    const at = Date.UTC(2028, 0, 31, 23, 59, 59, 999);
    const bytes = 2 ** 30;
    const { job } = await accept(sql, document, { now: at, body: { outputMode: 'managed' } });
    await claimRenderJob(sql, plans, { jobId: job.id, scheduledAt: at, now: at });
    const holder = await readJob(sql, job.id);
    const result = { ...attemptResult, finishedAt: at };
    await succeedRenderJob(sql, plans, holder, { ...pdfOf(job.id), bytes }, result, dayMs);
    const now = Date.UTC(2028, 2) - 1;
    const { period, storageMeters, usageMeters } = await getUsageReport(sql, plans, {
      workspaceId,
      now,
    });
    expect(period).to.deep.equal({
      kind: 'current_bill_period',
      start: Date.UTC(2028, 1),
      end: Date.UTC(2028, 2),
      usageDayStart: '2028-02-01',
      usageDayEndExclusive: '2028-03-01',
    });
    const [meter] = storageMeters;
    expect(meter?.peakBytesByDay).to.have.lengthOf(29);
    expect(meter?.peakBytesByDay.at(-1)).to.deep.equal({
      day: '2028-02-29',
      peakBytes: bytes,
      peakGiBDay: 1,
    });
    expect(meter).to.include({ totalPeakGiBDays: 29, totalPeakBytes: 29 * bytes });
    expect(usageMeters.map(({ totalQuantity }) => totalQuantity)).to.deep.equal([0, 0, 0]);
  });

  it('subtracts a PDF once and schedules the deletion of its blob if its output is deleted at the same time', async () => {
    const { sql } = database();
    const document = await createDocument(sql);
    const workspaceId = document.workspace.id;
    const liveStorage = async () =>
      (await getUsageReport(sql, plans, { workspaceId, now: noon })).liveStorage;
    const before = await liveStorage();
    for (let race = 0; race < 20; race++) {
      const { jobId } = await createJobIn(sql, document, 'succeeded', {
        body: { outputMode: 'managed' },
      });
      const [pdf] = await sql<{ id: string; blobKey: string }[]>`
        select id, blob_key from pdfs where job_id = ${jobId}`;
      const pdfId = pdf?.id ?? '';
      const deletions = await Promise.allSettled([
        deletePdf(sql, { workspaceId, pdfId, now: noon }),
        deleteOutput(sql, { workspaceId, jobId, now: noon }),
        deletePdf(sql, { workspaceId, pdfId, now: noon }),
      ]);
      const keys = deletions.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      expect(keys, 'one deletion knows the blob').to.deep.equal([pdf?.blobKey]);
      const scheduled =
        await sql`select 1 from blob_deletions where blob_key = ${pdf?.blobKey ?? ''}`;
      expect(scheduled).to.have.lengthOf(1);
      expect(await liveStorage()).to.deep.equal(before);
    }
  });
});
