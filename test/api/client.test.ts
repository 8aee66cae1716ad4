import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ApiError, createClient } from '../../client/client.ts';
import { deployFolder, hashFolder } from '../../client/deploy-folder.ts';
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

  it('deploys a folder, renders it, and downloads the bytes of the PDF', async () => {
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

  it('finds the deploy of a slug, also on a later page of the list, and creates it if there is none', async () => {
    const { client } = await api().service.createWorkspace();
    const deploy = { slug: uniqueSlug(), name: 'By slug' };
    const first = await deployFolder(client, { folder, deploy, render });
    for (let count = 0; count < 100; count++)
      await client.createDeploy({ body: { slug: uniqueSlug(), name: 'Newer' } });
    const second = await deployFolder(client, { folder, deploy, render });
    expect(second).to.include({ deployId: first.deployId, versionNo: 2 });
  });

  it('hashes a folder by its paths and contents', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'copy-'));
    try {
      await cp(folder, copy, { recursive: true });
      const hash = await hashFolder(folder);
      expect(hash).to.match(/^[0-9a-f]{64}$/);
      expect(await hashFolder(copy)).to.equal(hash);
      await rename(join(copy, 'empty.txt'), join(copy, 'renamed.txt'));
      expect(await hashFolder(copy)).not.to.equal(hash);
    } finally {
      await rm(copy, { recursive: true });
    }
  });

  it('throws the status, the code, the message and the request id of an error', async () => {
    const params = { jobId: unusedIds.jobId };
    const error = await api()
      .workspace.client.getRenderJob({ params })
      .catch((thrown) => thrown);
    expect(error).to.be.instanceOf(ApiError);
    expect(error).to.include({ status: 404, code: 'render_job_not_found' });
    expect(error.message).to.include('check its id');
    expect(error.requestId).to.be.a('string');
  });

  it('writes a parameter as one segment of the path, also if it contains a slash or a query', async () => {
    const params = { jobId: '../deploys?x=#' };
    const error = await api()
      .workspace.client.getRenderJob({ params })
      .catch((thrown) => thrown);
    expect(error).to.include({ code: 'render_job_not_found' });
  });

  it('accepts a base address with and without a slash at its end', async () => {
    const { apiKey } = api().workspace;
    const client = createClient({ baseUrl: `${api().service.baseUrl}/`, apiKey });
    expect((await client.listDeploys({ query: { limit: 1 } })).items.length).to.be.at.most(1);
  });
});
