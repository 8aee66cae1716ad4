import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ApiError, createClient } from '../../client/client.ts';
import { deployFolder } from '../../client/deploy-folder.ts';
import { downloadOutput, renderDocument } from '../../client/render-document.ts';
import { uniqueSlug, unusedIds, useApi } from './api-fixture.ts';

const render = { route: 'index.html', title: 'Folder' };

describe('the typed client', () => {
  const api = useApi();
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'document-'));
    await mkdir(join(folder, 'assets', 'é'), { recursive: true });
    await writeFile(join(folder, 'index.html'), '<!doctype html><p>Folder</p>');
    await writeFile(join(folder, 'assets', 'é', 'a b.css'), 'p { color: red }');
    await writeFile(join(folder, 'empty.txt'), '');
  });
  after(() => rm(folder, { recursive: true }));

  it('deploys a folder, renders it, and returns the bytes of the PDF', async () => {
    const { client } = api().workspace;
    const createDeploy = { slug: uniqueSlug(), name: 'Folder' };
    const first = await deployFolder(client, { folder, deploy: { createDeploy }, render });
    const { deployId } = first;
    const second = await deployFolder(client, { folder, deploy: { deployId }, render });
    expect([first.versionNo, second.versionNo]).to.deep.equal([1, 2]);
    expect(second.treeHash).to.equal(first.treeHash);

    const { job, output } = await renderDocument(client, { deployId }, { pollMs: 50 });
    expect(job.status, job.errorMessage).to.equal('succeeded');
    expect(await downloadOutput(client, job.id)).to.have.lengthOf(output?.bytes ?? 0);
  });

  it('throws errors with status, code, message and request id', async () => {
    const params = { jobId: unusedIds.jobId };
    const error = await api()
      .workspace.client.getRenderJob({ params })
      .catch((thrown) => thrown);
    expect(error).to.be.instanceOf(ApiError);
    expect(error).to.include({ status: 404, code: 'render_job_not_found' });
    expect(error.message).to.include('check its id');
    expect(error.requestId).to.be.a('string');
  });

  it('encodes each path parameter as one segment', async () => {
    const params = { jobId: '../deploys?x=#' };
    const error = await api()
      .workspace.client.getRenderJob({ params })
      .catch((thrown) => thrown);
    expect(error).to.include({ code: 'render_job_not_found' });
  });

  it('accepts a base address with or without a trailing slash', async () => {
    const { apiKey } = api().workspace;
    const client = createClient({ baseUrl: `${api().service.baseUrl}/`, apiKey });
    expect((await client.listDeploys({ query: { limit: 1 } })).items.length).to.be.at.most(1);
  });
});
