import { expect } from 'chai';
import { defaultPlans } from '../../contracts/plans.ts';
import { deployPage, sha256Of } from '../support/documents.ts';
import { plansWith, writePlansFile } from '../support/plans.ts';
import { poll } from '../support/poll.ts';
import { startService } from '../support/service.ts';
import {
  type Api,
  type ApiTarget,
  call,
  expectRefusal,
  expectSuccess,
  untilStatus,
} from './api-fixture.ts';

const simultaneous = 500;
const jobQuota = 10;
const commitQuota = 2;
const MiB = 1024 ** 2;
const renderTimeQuotaMs = 3_600_000;

/** Fills the storage as if with managed PDFs. */
const fillStorage = ({ service, workspace }: Pick<Api, 'service' | 'workspace'>) =>
  service.database.sql`
    update storage_usage set managed_pdf_bytes = ${MiB} where workspace_id = ${workspace.id}`;

/** Limits of the plan for clients (REST 8). */
describe('plan limits', function () {
  this.timeout(120_000);
  let api: Pick<Api, 'service' | 'workspace'>;
  const started = new AsyncDisposableStack();
  before(async () => {
    const plans = plansWith({
      maxRenderJobsPerBillPeriod: jobQuota,
      maxDeployCommitsPerBillPeriod: commitQuota,
      storageLimitBytes: MiB,
      maxRenderTimeMsPerBillPeriod: renderTimeQuotaMs,
      maxRenderTimeoutMs: 10_000,
      allowExternalNetwork: false,
    });
    const { path } = started.use(writePlansFile(plans));
    const service = started.use(await startService({ env: { PLANS_FILE: path } }));
    api = { service, workspace: await service.createWorkspace() };
  });
  after(() => started[Symbol.asyncDispose]());

  /** Creates another workspace with the same limits. Returns a target whose calls use its key. */
  const inNewWorkspace = async () => ({ ...api, workspace: await api.service.createWorkspace() });
  const createJob = async (own: ApiTarget, deployId: string) =>
    call(own, 'createRenderJob', { body: { deployId } });

  it(`accept exactly ${jobQuota} of ${simultaneous} simultaneous POSTs`, async () => {
    const own = await inNewWorkspace();
    const { deployId } = await deployPage(own.workspace.client, '<h1>Quota</h1>');
    const answers = await Promise.all(
      Array.from({ length: simultaneous }, () => createJob(own, deployId)),
    );
    const codes = answers.map(({ status, body }) =>
      status === 202 ? 'accepted' : (body as { error: string }).error,
    );
    expect(codes.filter((code) => code === 'accepted')).to.have.lengthOf(jobQuota);
    expect(codes.filter((code) => code === 'render_job_quota_exceeded')).to.have.lengthOf(
      simultaneous - jobQuota,
    );
    const { usageMeters } = await expectSuccess(own, 'getUsage');
    expect(usageMeters.find(({ code }) => code === 'render_jobs')?.totalQuantity).to.equal(
      jobQuota,
    );
  });

  it('reject a commit over the quota of the month', async () => {
    const own = await inNewWorkspace();
    for (let commits = 0; commits < commitQuota; commits++)
      await deployPage(own.workspace.client, `<h1>${commits}</h1>`);
    const files = [{ path: 'index.html', sha256: 'a'.repeat(64), size: 1 }];
    const { uploadSession } = await expectSuccess(own, 'createUploadSession', {
      body: { createDeploy: { slug: 'one-more', name: 'One more' }, files },
    });
    await expectRefusal(own, 'commitUploadSession', 'deploy_commit_quota_exceeded', {
      params: { uploadSessionId: uploadSession.id },
      headers: { 'X-Upload-Token': uploadSession.uploadToken },
      body: {
        entries: files.map(({ path, sha256, size }) => ({ path, blobHash: sha256, size })),
        render: { route: 'index.html', title: 'One more' },
      },
    });
  });

  it('reject a version that does not fit into the storage, and open its session again', async () => {
    const own = await inNewWorkspace();
    await deployPage(own.workspace.client, '<h1>First</h1>');
    await fillStorage(own);
    const page = '<h1>Second</h1>';
    const file = { path: 'index.html', sha256: sha256Of(page), size: page.length };
    const { uploadSession } = await expectSuccess(own, 'createUploadSession', {
      body: { createDeploy: { slug: 'second', name: 'Second' }, files: [file] },
    });
    const session = {
      params: { uploadSessionId: uploadSession.id, sha256: file.sha256 },
      headers: { 'X-Upload-Token': uploadSession.uploadToken },
    };
    await expectSuccess(own, 'uploadBlob', { ...session, body: page });
    await expectRefusal(own, 'commitUploadSession', 'storage_limit_exceeded', {
      ...session,
      body: {
        entries: [{ path: file.path, blobHash: file.sha256, size: file.size }],
        render: { route: file.path, title: 'Second' },
      },
    });
    const { missingBlobs } = await expectSuccess(own, 'listMissingBlobs', session);
    expect(missingBlobs).to.deep.equal([]);
  });

  it('reject a commit that ends after its session would have expired, and let the client fix and repeat it', async () => {
    const own = await inNewWorkspace();
    const { sql } = own.service.database;
    await deployPage(own.workspace.client, '<h1>First</h1>');
    const page = '<h1>Fixed</h1>';
    const file = { path: 'index.html', sha256: sha256Of(page), size: page.length };
    const { uploadSession } = await expectSuccess(own, 'createUploadSession', {
      body: { createDeploy: { slug: 'fixed', name: 'Fixed' }, files: [file] },
    });
    const session = {
      params: { uploadSessionId: uploadSession.id, sha256: file.sha256 },
      headers: { 'X-Upload-Token': uploadSession.uploadToken },
    };
    const body = {
      entries: [{ path: file.path, blobHash: file.sha256, size: file.size }],
      render: { route: file.path, title: 'Fixed' },
    };
    await expectSuccess(own, 'uploadBlob', { ...session, body: page });
    let refusing: Promise<unknown> | undefined;
    await sql.begin(async (tx) => {
      // The commit cannot end while the workspace is locked.
      await tx`select from workspaces where id = ${own.workspace.id} for no key update`;
      refusing = expectRefusal(own, 'commitUploadSession', 'storage_limit_exceeded', {
        ...session,
        body,
      });
      await poll('the commit to run', async () => {
        const rows = await sql`
          select 1 from upload_sessions where id = ${uploadSession.id} and status = 'committing'`;
        return rows.length === 1;
      });
      await fillStorage(own);
      // Simulates that an hour has passed.
      await sql`update upload_sessions set expires_at = ${Date.now()} where id = ${uploadSession.id}`;
    });
    await refusing;
    await expectSuccess(own, 'listMissingBlobs', session);
    await expectSuccess(own, 'uploadBlob', { ...session, body: page });
    await sql`update storage_usage set managed_pdf_bytes = 0 where workspace_id = ${own.workspace.id}`;
    await expectSuccess(own, 'commitUploadSession', { ...session, body });
  });

  const exhaustBy = {
    storage_limit_exceeded: fillStorage,
    render_job_quota_exceeded: ({ service, workspace }: typeof api) =>
      service.database.sql`
        update usage_periods set render_jobs = ${jobQuota} where workspace_id = ${workspace.id}`,
    render_time_quota_exceeded: ({ service, workspace }: typeof api) =>
      service.database.sql`
        update usage_periods set render_time_ms = ${renderTimeQuotaMs} where workspace_id = ${workspace.id}`,
  } as const;
  for (const [code, exhaust] of Object.entries(exhaustBy))
    it(`reject a new job and a rerender: ${code}`, async () => {
      const own = await inNewWorkspace();
      const { deployId } = await deployPage(own.workspace.client, '<h1>Once</h1>');
      const { job } = await expectSuccess(own, 'createRenderJob', { body: { deployId } });
      await untilStatus(own, job.id, 'succeeded');
      await exhaust(own);
      const refused = code as keyof typeof exhaustBy;
      await expectRefusal(own, 'createRenderJob', refused, { body: { deployId } });
      await expectRefusal(own, 'rerenderJob', refused, { params: { jobId: job.id }, body: {} });
    });

  it('fail a job whose PDF does not fit into the storage, with that error code', async () => {
    const own = await inNewWorkspace();
    const page = `<h1>Large</h1><!--${'x'.repeat(MiB - 100)}-->`;
    const { deployId } = await deployPage(own.workspace.client, page);
    const { job } = await expectSuccess(own, 'createRenderJob', { body: { deployId } });
    const ended = await untilStatus(own, job.id, 'failed');
    expect(ended.job).to.include({ errorCode: 'storage_limit_exceeded' });
    expect(ended.attemptUsage?.billableRenderMs).to.be.greaterThan(0);
  });

  it('stop a job when the render time of the month is used up, and reject new jobs', async () => {
    const own = await inNewWorkspace();
    const page = '<script>window.renderReady = new Promise(() => {})</script>';
    const { deployId } = await deployPage(own.workspace.client, page);
    // One second is left in the month.
    await own.service.database.sql`
      update usage_periods set render_time_ms = ${renderTimeQuotaMs - 1_000} where workspace_id = ${own.workspace.id}`;
    const { job } = await expectSuccess(own, 'createRenderJob', { body: { deployId } });
    const ended = await untilStatus(own, job.id, 'failed');
    expect(ended.job.errorCode).to.equal('render_time_quota_exceeded');
    expect(ended.attemptUsage?.billableRenderMs).to.equal(1_000);
    await expectRefusal(own, 'createRenderJob', 'render_time_quota_exceeded', {
      body: { deployId },
    });
  });

  it('accept a job while others have reserved all render time of the month, and print it when time is released', async () => {
    const own = await inNewWorkspace();
    const { deployId } = await deployPage(own.workspace.client, '<h1>Waits</h1>');
    const hold = (heldMs: number) =>
      own.service.database.sql`
        update usage_periods set reserved_render_time_ms = reserved_render_time_ms + ${heldMs}
        where workspace_id = ${own.workspace.id}`;
    // Simulates running attempts that have reserved the time.
    await hold(renderTimeQuotaMs);
    const { job } = await expectSuccess(own, 'createRenderJob', { body: { deployId } });
    await poll('the job to wait', async () => {
      const { progress } = await expectSuccess(own, 'getRenderJob', { params: { jobId: job.id } });
      return progress?.waitingFor === 'browser';
    });
    await hold(-renderTimeQuotaMs);
    await untilStatus(own, job.id, 'succeeded');
  });

  it('reject url deploys on a plan without external network', async () => {
    const own = await inNewWorkspace();
    await expectRefusal(own, 'createDeploy', 'workspace_pro_required', {
      body: { slug: 'elsewhere', name: 'Elsewhere', type: 'url', targetUrl: 'https://example.com' },
    });
  });

  it('are all in the usage report, which must not be cached', async () => {
    const own = await inNewWorkspace();
    const { deployId } = await deployPage(own.workspace.client, '<h1>Report</h1>');
    const { job } = await expectSuccess(own, 'createRenderJob', {
      body: { deployId, outputMode: 'managed' },
    });
    const { pdf, attemptUsage } = await untilStatus(own, job.id, 'succeeded');
    const answer = await call(own, 'getUsage', {});
    expect(answer.headers.get('Cache-Control')).to.equal('private, no-store');
    const report = await expectSuccess(own, 'getUsage');
    const { policy } = defaultPlans.self_hosted ?? {};
    expect(report.plan.key).to.equal('self_hosted');
    expect(Object.keys(report.policy)).to.deep.equal(Object.keys(policy ?? {}));
    expect(report.policy.maxRenderJobsPerBillPeriod).to.equal(jobQuota);
    const { managedPdfStorageBytes, deployVersionStorageBytes, totalBytes } = report.liveStorage;
    expect(managedPdfStorageBytes).to.equal(pdf?.bytes);
    expect(totalBytes).to.equal(managedPdfStorageBytes + deployVersionStorageBytes);
    expect(report.usageMeters.map(({ totalQuantity }) => totalQuantity)).to.deep.equal([
      1,
      1,
      attemptUsage?.billableRenderMs,
    ]);
    const [meter] = report.storageMeters;
    expect(meter?.peakBytesByDay.at(-1)?.peakBytes).to.equal(pdf?.bytes);
    expect(meter?.currentBytes).to.equal(pdf?.bytes);
  });
});
