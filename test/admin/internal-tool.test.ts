import { expect } from 'chai';
import { workflowIds } from '../../contracts/processes/workflows.ts';
import { deployPage, payloadPage } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import type { Workspace } from '../support/service.ts';
import { type AdminClient, refusalOf, useAdmin } from './admin-fixture.ts';

/** An internal tool has only the admin token and the types of the router. */
describe('an internal tool', () => {
  const admin = useAdmin();
  let tool: AdminClient;
  let workspace: Workspace;
  let workspaceId: string;
  let deployId: string;
  let versionId: string;
  before(async () => {
    tool = admin().tool;
    workspace = await admin().service.createWorkspace();
    workspaceId = workspace.id;
    const version = await deployPage(workspace.client, {
      'index.html': payloadPage,
      'style.css': 'h1 { color: teal }',
    });
    deployId = version.deployId;
    versionId = version.id;
  });

  const render = (job: Partial<Parameters<typeof tool.jobs.create.mutate>[0]['job']> = {}) =>
    tool.jobs.create.mutate({ workspaceId, job: { deployId, payload: { n: 1 }, ...job } });

  const waitForRenderJob = (jobId: string) =>
    poll(`job ${jobId}`, async () => {
      const answer = await tool.jobs.get.query({ workspaceId, jobId });
      return answer.job.finishedAt !== undefined && answer;
    });

  it('lists deploys and versions with all files, and sets and deletes aliases', async () => {
    const { items } = await tool.deploys.list.query({ workspaceId });
    expect(items.map(({ id }) => id)).to.include(deployId);
    const { files } = await tool.versions.get.query({ workspaceId, deployId, versionId });
    expect(files.map(({ path, size }) => [path, size])).to.deep.equal([
      ['index.html', payloadPage.length],
      ['style.css', 'h1 { color: teal }'.length],
    ]);
    const alias = 'production';
    await tool.aliases.set.mutate({ workspaceId, deployId, alias, deployVersionId: 'latest' });
    await tool.aliases.delete.mutate({ workspaceId, deployId, alias });
    const left = await tool.aliases.list.query({ workspaceId, deployId });
    expect(left.items).to.deep.equal([]);
  });

  it('renders with a payload, and can read the attempts and the PDF of the job', async () => {
    const { id: jobId } = await render({ outputMode: 'managed', businessKey: 'tool-1' });
    const { job, attempts, workflow, output, pdf } = await waitForRenderJob(jobId);
    expect(job.status).to.equal('succeeded');
    expect(attempts).to.have.lengthOf(1);
    const [attempt] = attempts;
    expect(attempt).to.include({ attempt: 0, workflowAttempt: 1, outcome: 'succeeded' });
    for (const step of ['loadMs', 'readyMs', 'printMs', 'storeMs', 'browserMs'] as const)
      expect(attempt?.[step], step).to.be.a('number');
    expect(attempt?.claimedAt).to.be.at.least(attempt?.queuedAt ?? Number.NaN);
    expect(attempt?.finishedAt).to.equal(job.finishedAt);
    const id = workflowIds.renderJob(jobId);
    const { namespace } = admin().service;
    expect(workflow).to.deep.equal({
      id,
      url: `http://temporal.example:8233/namespaces/${namespace}/workflows/${encodeURIComponent(id)}`,
    });

    const pdfId = pdf?.id ?? '';
    const [permanent, ended] = [
      await tool.permanentLinks.create.mutate({ workspaceId, pdfId }),
      await tool.permanentLinks.create.mutate({ workspaceId, pdfId }),
    ];
    const links = [
      await tool.outputs.link.mutate({ workspaceId, jobId, disposition: 'inline' }),
      await tool.pdfs.link.mutate({ workspaceId, pdfId }),
      permanent,
    ];
    await tool.permanentLinks.delete.mutate({ workspaceId, pdfId, linkId: ended.id });
    expect((await fetch(ended.url)).status).to.equal(404);
    for (const { url } of links) {
      const bytes = await (await fetch(url)).arrayBuffer();
      expect(bytes.byteLength).to.equal(output?.bytes);
    }
    expect((await tool.outputs.list.query({ workspaceId })).items[0]?.renderJobId).to.equal(jobId);
    await tool.outputs.delete.mutate({ workspaceId, jobId });
    await tool.pdfs.delete.mutate({ workspaceId, pdfId });
    for (const { url } of links) expect((await fetch(url)).status).to.equal(404);
  });

  it('renders several ended jobs again, each with the same payload as before', async () => {
    const jobs = await Promise.all([1, 2].map((n) => render({ payload: { n } })));
    for (const { id } of jobs) await waitForRenderJob(id);
    const [first = '', second = ''] = jobs.map(({ id }) => id);
    const { items } = await tool.jobs.rerun.mutate({
      workspaceId,
      jobs: [
        { jobId: first, rerender: { payload: { n: 1 } } },
        { jobId: second, rerender: { payload: { n: 'another' } } },
      ],
    });
    expect(items[0]?.job).to.include({ deployId, payloadHash: jobs[0]?.payloadHash });
    expect(items[1]).to.have.nested.property('error.error', 'payload_mismatch');
    expect((await waitForRenderJob(items[0]?.job?.id ?? '')).job.status).to.equal('succeeded');
  });

  it('gets a result for each job that it renders again, even if one fails with an internal error', async () => {
    const { sql } = admin().service.database;
    const jobs = [await render(), await render({ businessKey: 'breaks' }), await render()];
    for (const { id } of jobs) await waitForRenderJob(id);
    await sql`
      create function break_one() returns trigger language plpgsql as
        $$ begin raise exception 'broken on purpose'; end $$`;
    await sql`
      create trigger break_one before insert on render_jobs
        for each row when (new.business_key = 'breaks') execute function break_one()`;
    try {
      const { items } = await tool.jobs.rerun.mutate({
        workspaceId,
        jobs: jobs.map(({ id: jobId }) => ({ jobId, rerender: { payload: { n: 1 } } })),
      });
      expect(items.map(({ job, error }) => error?.error ?? typeof job)).to.deep.equal([
        'object',
        'internal_error',
        'object',
      ]);
    } finally {
      await sql`drop trigger break_one on render_jobs`;
      await sql`drop function break_one`;
    }
  });

  it('finds, counts and cancels waiting jobs', async () => {
    const { sql } = admin().service.database;
    const crowded = await admin().service.createWorkspace('blank');
    const version = await deployPage(crowded.client, payloadPage);
    // The workspace has no place under the ceiling, so its jobs wait.
    await sql`update workspaces set admitted_jobs = 1000 where id = ${crowded.id}`;
    const job = { deployId: version.deployId, businessKey: 'waits' };
    const { id: jobId } = await tool.jobs.create.mutate({ workspaceId: crowded.id, job });
    const queue = await tool.queue.get.query({ workspaceId: crowded.id });
    expect(queue).to.include({ admitted: 0, notAdmitted: 1, rendering: 0 });
    expect(queue.oldestQueuedAt).to.be.a('number');
    const all = await tool.queue.list.query();
    expect(all.items).to.deep.include(queue);

    const search = (status: 'queued' | 'canceled') =>
      tool.jobs.search.query({ workspaceId: crowded.id, businessKey: 'waits', status });
    expect((await search('queued')).items.map(({ id }) => id)).to.deep.equal([jobId]);
    const canceled = await tool.jobs.cancel.mutate({ workspaceId: crowded.id, jobId });
    expect(canceled.job.status).to.equal('canceled');
    expect((await search('queued')).items).to.deep.equal([]);
    expect((await search('canceled')).items.map(({ id }) => id)).to.deep.equal([jobId]);
    const counts = await tool.jobs.counts.query({ workspaceId: crowded.id });
    expect(counts).to.include({ queued: 0, canceled: 1 });
    const again = tool.jobs.cancel.mutate({ workspaceId: crowded.id, jobId });
    expect(await refusalOf(again)).to.equal('render_job_not_cancelable');
  });

  it('sees the workers of the queues', async () => {
    const { items } = await poll('pollers', async () => {
      const answer = await tool.queue.workers.query();
      return answer.items.every(({ workers }) => workers.length > 0) && answer;
    });
    expect(items.map(({ name, kind }) => `${name} ${kind}`)).to.deep.equal([
      'control workflow',
      'control activity',
      'render activity',
      'webhooks activity',
    ]);
    for (const { slots, browsers } of items.flatMap(({ workers }) => workers)) {
      expect(slots).to.be.at.least(1);
      expect(browsers).to.be.at.least(slots ?? 0);
    }
  });

  it('creates API keys that work at once, sees when they were used, and revokes them', async () => {
    const { id, key } = await tool.apiKeys.create.mutate({ workspaceId, name: 'CI' });
    const use = () =>
      fetch(`${admin().service.baseUrl}/deploys`, { headers: { Authorization: `Bearer ${key}` } });
    const find = async () =>
      (await tool.apiKeys.list.query({ workspaceId })).items.find((item) => item.id === id);
    expect(await find()).to.include({ name: 'CI', createdBy: 'admin-token' });
    expect(await find()).to.not.have.property('lastUsedAt');
    expect((await use()).status).to.equal(200);
    const used = await poll('the use of the key', async () => (await find())?.lastUsedAt);
    expect((await use()).status).to.equal(200);
    await tool.apiKeys.revoke.mutate({ workspaceId, keyId: id });
    expect((await use()).status).to.equal(401);
    expect(await find()).to.equal(undefined);
    const { sql } = admin().service.database;
    const [row] = await sql`select last_used_at from api_keys where id = ${id}`;
    expect(row?.lastUsedAt, 'written once a minute').to.equal(used);
  });

  it('deletes a version, then the deploy with its other versions', async () => {
    const { deployId, id: versionId } = await deployPage(workspace.client, payloadPage);
    await tool.versions.delete.mutate({ workspaceId, deployId, versionId });
    const { items } = await tool.versions.list.query({ workspaceId, deployId });
    expect(items).to.deep.equal([]);
    await tool.deploys.delete.mutate({ workspaceId, deployId });
    expect(await refusalOf(tool.deploys.get.query({ workspaceId, deployId }))).to.equal(
      'deploy_not_found',
    );
  });

  it('tests a webhook, sends it again, and rotates its secret', async () => {
    const { receiver } = admin();
    const hook = '/internal-tool';
    const { endpoint, secret } = await tool.webhooks.createEndpoint.mutate({
      workspaceId,
      url: receiver.url(hook),
    });
    const target = { workspaceId, endpointId: endpoint.id };
    expect(await tool.webhooks.revealSecret.mutate(target)).to.deep.equal({ secret });
    const { id: deliveryId } = await tool.webhooks.test.mutate(target);
    await poll('the test', () => receiver.received(hook)[0]);
    await poll('the end of the test', async () => {
      const { delivery } = await tool.webhooks.getDelivery.query({ workspaceId, deliveryId });
      return delivery.state === 'succeeded';
    });
    await tool.webhooks.replay.mutate({ workspaceId, deliveryId });
    const again = await poll('the replay', () => receiver.received(hook)[1]);
    expect(again.body).to.equal(receiver.received(hook)[0]?.body);
    const rotated = await tool.webhooks.rotateSecret.mutate(target);
    expect(rotated.secret).to.not.equal(secret);
    await tool.webhooks.deleteEndpoint.mutate(target);
    expect((await tool.webhooks.listEndpoints.query({ workspaceId })).items).to.deep.equal([]);
  });

  it('finds all its changes in the audit log, newest first and without secrets', async () => {
    const { items } = await tool.auditLog.list.query({ workspaceId, limit: 100 });
    expect(new Set(items.map(({ action }) => action))).to.deep.equal(
      new Set([
        'aliases.set',
        'aliases.delete',
        'jobs.create',
        'jobs.rerun',
        'permanentLinks.create',
        'permanentLinks.delete',
        'outputs.delete',
        'pdfs.delete',
        'apiKeys.create',
        'apiKeys.revoke',
        'versions.delete',
        'deploys.delete',
        'webhooks.createEndpoint',
        'webhooks.revealSecret',
        'webhooks.test',
        'webhooks.replay',
        'webhooks.rotateSecret',
        'webhooks.deleteEndpoint',
      ]),
    );
    const ids = items.map(({ id }) => id);
    expect(ids).to.deep.equal(ids.toSorted().reverse());
    expect(items.every(({ actor }) => actor === 'admin-token')).to.equal(true);
    expect(JSON.stringify(items)).to.not.match(/drs_|\/p\//);
  });

  it('gets errors in the same form if no procedure was called', async () => {
    const bodies = { invalid_request: '{', payload_too_large: `"${'x'.repeat(17 * 1024 ** 2)}"` };
    for (const [code, body] of Object.entries(bodies)) {
      const response = await fetch(`${admin().origin}/trpc/jobs.create`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      const { error } = (await response.json()) as { error: { data: object } };
      expect(error.data).to.deep.equal({ code: 'BAD_REQUEST', httpStatus: 400, error: code });
    }
  });

  it('gets an error that says how to fix a malformed call', async () => {
    const batch = Array.from({ length: 31 }, () => 'plans.list').join(',');
    const calls = [
      ['plans.list?input={', 'GET', /not JSON/],
      ['plans.list?input={&batch=1', 'GET', /not JSON/],
      ['jobs.create', 'GET', /POST/],
      ['plans.list', 'POST', /GET/],
      [`${batch}?batch=1&input={}`, 'GET', /at most 30 calls/],
    ] as const;
    for (const [call, method, sentence] of calls) {
      const isPost = method === 'POST';
      const response = await fetch(`${admin().origin}/trpc/${call}`, {
        method,
        ...(isPost && { body: '{}', headers: { 'Content-Type': 'application/json' } }),
      });
      const [answer] = [await response.json()].flat();
      expect(answer.error.data, call).to.include({ httpStatus: 400, error: 'invalid_request' });
      expect(answer.error.message, call).to.match(sentence);
    }
  });

  it('gets the same error message as an API client, and never a cause', async () => {
    const [byTool, byClient] = await Promise.all([
      tool.deploys.get.query({ workspaceId, deployId: 'dpl_unknown' }).catch((error) => error),
      workspace.client.getDeploy({ params: { deployId: 'dpl_unknown' } }).catch((error) => error),
    ]);
    expect(`${byTool.data.error}: ${byTool.message}`).to.equal(byClient.message);
    expect(byTool.data).to.deep.equal({
      code: 'NOT_FOUND',
      httpStatus: 404,
      error: 'deploy_not_found',
    });
  });
});
