import { expect } from 'chai';
import { defaultPlans } from '../../contracts/plans.ts';
import { deployPage } from '../support/documents.ts';
import { plansWith, writePlansFile } from '../support/plans.ts';
import { startService } from '../support/service.ts';
import { type Api, call, type Door, refuse, succeed, untilStatus } from './rig.ts';

const simultaneous = 500;
const jobQuota = 10;
const commitQuota = 2;
const MiB = 1024 ** 2;
const monthMs = 3_600_000;

/** Limits of the plan, as a client meets them (REST 8). */
describe('plan limits', function () {
  this.timeout(120_000);
  let api: Pick<Api, 'service' | 'workspace'>;
  const started = new AsyncDisposableStack();
  before(async () => {
    const plans = plansWith({
      maxRenderJobsPerBillPeriod: jobQuota,
      maxDeployCommitsPerBillPeriod: commitQuota,
      storageLimitBytes: MiB,
      maxRenderTimeMsPerBillPeriod: monthMs,
      maxRenderTimeoutMs: 10_000,
      allowExternalNetwork: false,
    });
    const { path } = started.use(writePlansFile(plans));
    const service = started.use(await startService({ env: { PLANS_FILE: path } }));
    api = { service, workspace: await service.createWorkspace() };
  });
  after(() => started[Symbol.asyncDispose]());

  /** A workspace of its own, with the same limits. */
  const inNewWorkspace = async () => ({ ...api, workspace: await api.service.createWorkspace() });
  const createJob = async (own: Door, deployId: string) =>
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
    const { usageMeters } = await succeed(own, 'getUsage');
    expect(usageMeters.find(({ code }) => code === 'render_jobs')?.totalQuantity).to.equal(
      jobQuota,
    );
  });

  it('refuse a commit that the month does not have, and let the session be', async () => {
    const own = await inNewWorkspace();
    for (let commits = 0; commits < commitQuota; commits++)
      await deployPage(own.workspace.client, `<h1>${commits}</h1>`);
    const files = [{ path: 'index.html', sha256: 'a'.repeat(64), size: 1 }];
    const { uploadSession } = await succeed(own, 'createUploadSession', {
      body: { createDeploy: { slug: 'one-more', name: 'One more' }, files },
    });
    await refuse(own, 'commitUploadSession', 'deploy_commit_quota_exceeded', {
      params: { uploadSessionId: uploadSession.id },
      headers: { 'X-Upload-Token': uploadSession.uploadToken },
      body: {
        entries: files.map(({ path, sha256, size }) => ({ path, blobHash: sha256, size })),
        render: { route: 'index.html', title: 'One more' },
      },
    });
  });

  it('refuse a version and a job that the storage has no room for', async () => {
    const own = await inNewWorkspace();
    const page = `<h1>Large</h1><!--${'x'.repeat(0.9 * MiB)}-->`;
    const { deployId } = await deployPage(own.workspace.client, page);
    const second = deployPage(own.workspace.client, `${page} `);
    expect(await second.catch((error: { code: string }) => error.code)).to.equal(
      'storage_limit_exceeded',
    );
    // As if PDFs had filled it: a job then has nowhere to put its own.
    await own.service.database.sql`
      update storage_usage set managed_pdf_bytes = ${MiB} where workspace_id = ${own.workspace.id}`;
    await refuse(own, 'createRenderJob', 'storage_limit_exceeded', { body: { deployId } });
  });

  it('fail a job whose PDF has no room any more, and say so', async () => {
    const own = await inNewWorkspace();
    const page = `<h1>Large</h1><!--${'x'.repeat(MiB - 100)}-->`;
    const { deployId } = await deployPage(own.workspace.client, page);
    const { job } = await succeed(own, 'createRenderJob', { body: { deployId } });
    const ended = await untilStatus(own, job.id, 'failed');
    expect(ended.job).to.include({ errorCode: 'storage_limit_exceeded' });
    expect(ended.attemptUsage?.billableRenderMs).to.be.greaterThan(0);
  });

  it('stop a job when the render time of the month ends, and take no other', async () => {
    const own = await inNewWorkspace();
    const page = '<script>window.renderReady = new Promise(() => {})</script>';
    const { deployId } = await deployPage(own.workspace.client, page);
    // The month has a second left.
    await own.service.database.sql`
      update usage_periods set render_time_ms = ${monthMs - 1_000} where workspace_id = ${own.workspace.id}`;
    const { job } = await succeed(own, 'createRenderJob', { body: { deployId } });
    const ended = await untilStatus(own, job.id, 'failed');
    expect(ended.job.errorCode).to.equal('render_time_quota_exceeded');
    expect(ended.attemptUsage?.billableRenderMs).to.equal(1_000);
    await refuse(own, 'createRenderJob', 'render_time_quota_exceeded', { body: { deployId } });
  });

  it('keep url deploys out where the plan has no external network', async () => {
    const own = await inNewWorkspace();
    await refuse(own, 'createDeploy', 'workspace_pro_required', {
      body: { slug: 'elsewhere', name: 'Elsewhere', type: 'url', targetUrl: 'https://example.com' },
    });
  });

  it('are all in the usage report, which nobody may cache', async () => {
    const own = await inNewWorkspace();
    const { deployId } = await deployPage(own.workspace.client, '<h1>Report</h1>');
    const { job } = await succeed(own, 'createRenderJob', {
      body: { deployId, outputMode: 'managed' },
    });
    const { pdf, attemptUsage } = await untilStatus(own, job.id, 'succeeded');
    const answer = await call(own, 'getUsage', {});
    expect(answer.headers.get('Cache-Control')).to.equal('private, no-store');
    const report = await succeed(own, 'getUsage');
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
