import { expect } from 'chai';
import { deployFiles, deployPage, payloadPage } from '../support/documents.ts';
import { expectRefusal, expectSuccess, untilStatus, useApi } from './api-fixture.ts';

describe('a job that has ended', function () {
  this.timeout(60_000);
  const api = useApi();
  const payload = { total: 42 };

  const renderOnce = async () => {
    const { deployId } = await deployPage(api().workspace.client, payloadPage);
    const body = { deployId, payload, businessKey: 'INV-7', outputMode: 'managed' };
    const { job } = await expectSuccess(api(), 'createRenderJob', { body });
    return untilStatus(api(), job.id);
  };

  it('has a receipt of its PDF and a count of warnings', async () => {
    const { job, pdf, receipt, warningCount } = await renderOnce();
    const record = await expectSuccess(api(), 'getPdf', { params: { pdfId: pdf?.id ?? '' } });
    expect(receipt?.outputSha256).to.equal(record.pdf.sha256);
    expect(receipt?.payloadHash).to.equal(job.payloadHash);
    expect(receipt?.treeHash).to.match(/^[0-9a-f]{64}$/);
    expect(receipt?.chromiumVersion).to.match(/^\d+\./);
    expect(warningCount).to.equal(0);
  });

  it('has a log of limited length, and the note about dropped entries does not count as a warning', async () => {
    const noisy = '<script>for (let n = 0; n < 300; n++) console.error(n)</script>';
    const { deployId } = await deployPage(api().workspace.client, noisy);
    const { job } = await expectSuccess(api(), 'createRenderJob', { body: { deployId } });
    const { logs = [], warningCount } = await untilStatus(api(), job.id);
    const codes = logs.map(({ code }) => code);
    expect(codes.at(-1)).to.equal('log_truncated');
    expect(codes.filter((code) => code === 'console_error')).to.have.lengthOf(warningCount ?? 0);
    expect(warningCount).to.be.greaterThan(100);
  });

  it('is rendered again with the same payload and the same version, even if there is a newer version', async () => {
    const { job } = await renderOnce();
    const { client } = api().workspace;
    await deployFiles(client, { deployId: job.deployId }, { 'index.html': '<p>newer</p>' });
    const { job: again } = await expectSuccess(api(), 'rerenderJob', {
      params: { jobId: job.id },
      body: { payload },
    });
    const { deployVersionId, businessKey, outputMode, payloadHash } = job;
    expect(again).to.include({ deployVersionId, businessKey, outputMode, payloadHash });
    expect(again.id).not.to.equal(job.id);
    expect((await untilStatus(api(), again.id)).job.status).to.equal('succeeded');
  });

  it('can be rendered again with any text in its payload', async () => {
    const any = { 'k\u0000': '\ud800', '\udc00': ['\u0000'] };
    const { deployId } = await deployPage(api().workspace.client, payloadPage);
    const input = { body: { deployId, payload: any }, headers: { 'Idempotency-Key': deployId } };
    const { job } = await expectSuccess(api(), 'createRenderJob', input);
    expect((await expectSuccess(api(), 'createRenderJob', input)).job.id).to.equal(job.id);
    await expectRefusal(api(), 'createRenderJob', 'idempotency_key_conflict', {
      ...input,
      body: { deployId, payload: { ...any, 'k\u0000': '\ud801' } },
    });
    expect((await untilStatus(api(), job.id)).job.status).to.equal('succeeded');
    const params = { jobId: job.id };
    const { job: again } = await expectSuccess(api(), 'rerenderJob', {
      params,
      body: { payload: any },
    });
    expect(again.payloadHash).to.equal(job.payloadHash);
    await expectRefusal(api(), 'rerenderJob', 'payload_mismatch', {
      params,
      body: { payload: '\ud800' },
    });
  });

  it('is rendered again once for each Idempotency-Key', async () => {
    const { job } = await renderOnce();
    const input = {
      params: { jobId: job.id },
      body: { payload },
      headers: { 'Idempotency-Key': job.id },
    };
    const first = await expectSuccess(api(), 'rerenderJob', input);
    expect((await expectSuccess(api(), 'rerenderJob', input)).job.id).to.equal(first.job.id);
  });

  it('cannot be rendered again with another payload or before it has ended', async () => {
    const { job } = await renderOnce();
    const params = { jobId: job.id };
    await expectRefusal(api(), 'rerenderJob', 'payload_mismatch', {
      params,
      body: { payload: { total: 43 } },
    });
    const waiting = await deployPage(
      api().workspace.client,
      '<!doctype html><script>window.renderReady = new Promise(() => {})</script>',
      { renderTimeoutMs: 3_000 },
    );
    const { job: open } = await expectSuccess(api(), 'createRenderJob', {
      body: { deployId: waiting.deployId, payload },
    });
    await expectRefusal(api(), 'rerenderJob', 'render_job_active', {
      params: { jobId: open.id },
      body: { payload },
    });
  });

  it('cannot be rendered again if the plan does not allow the network that it needs any more', async () => {
    const { pages, service } = api();
    pages.byPath.set('/hosted', (_request, response) => response.end('<p>Hosted</p>'));
    const { apiKey, id, client } = await service.createWorkspace();
    const { deploy } = await client.createDeploy({
      body: { slug: 'hosted', name: 'Hosted', type: 'url', targetUrl: `${pages.url}/hosted` },
    });
    const { job } = await client.createRenderJob({ body: { deployId: deploy.id } });
    await untilStatus(api(), job.id, undefined, apiKey);
    await service.database.sql`update workspaces set plan = 'blank' where id = ${id}`;
    const input = { apiKey, params: { jobId: job.id }, body: { payload: null } };
    await expectRefusal(api(), 'rerenderJob', 'workspace_pro_required', input);
  });
});
