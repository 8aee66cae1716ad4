import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { deployAndRenderExample } from '../../dev/start/deploy-example.ts';
import { type Service, startService, type Workspace } from '../support/service.ts';

const invoice = join(import.meta.dirname, '../../examples/invoice');

describe('the first document of npm start', function () {
  this.timeout(120_000);
  let service: Service;
  let workspace: Workspace;
  let folder: string;
  let example: string;

  before(async () => {
    service = await startService();
    workspace = await service.createWorkspace();
    folder = await mkdtemp(join(tmpdir(), 'example-'));
    example = join(folder, 'invoice');
    await cp(invoice, example, { recursive: true });
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
    await service?.[Symbol.asyncDispose]();
  });

  const pdfFile = () => join(folder, 'invoice.pdf');
  const versionFile = () => join(folder, 'version.json');
  const start = (apiKey = workspace.apiKey): Promise<string> =>
    deployAndRenderExample({
      baseUrl: service.baseUrl,
      apiKey,
      example,
      pdfFile: pdfFile(),
      versionFile: versionFile(),
    });
  const listDeploys = async () => (await workspace.client.listDeploys({})).items;
  const countVersions = async (): Promise<number> => {
    const [deploy] = await listDeploys();
    const params = { deployId: deploy?.id ?? '' };
    return (await workspace.client.listDeployVersions({ params })).items.length;
  };
  const changeRender = async (changes: object): Promise<void> => {
    const file = join(example, 'render.json');
    const render = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...render, ...changes }));
  };

  it('is deployed once, and rendered at each start', async () => {
    for (const _ of ['first', 'second']) {
      const link = await start();
      expect((await readFile(pdfFile(), 'latin1')).startsWith('%PDF-')).to.equal(true);
      expect((await fetch(link)).status).to.equal(200);
      await rm(pdfFile());
    }
    expect(await countVersions()).to.equal(1);
  });

  it('is deployed again when a file or a setting has changed', async () => {
    await writeFile(join(example, 'document/added.txt'), 'added');
    await start();
    expect(await countVersions()).to.equal(2);
    await changeRender({ title: 'Another title' });
    await start();
    expect(await countVersions()).to.equal(3);
    await start();
    expect(await countVersions()).to.equal(3);
  });

  it('is deployed again when its version was deleted', async () => {
    const [deploy] = await listDeploys();
    const { items } = await workspace.client.listDeployVersions({
      params: { deployId: deploy?.id ?? '' },
      query: { limit: 1 },
    });
    await workspace.client.deleteDeployVersion({
      params: { deployId: deploy?.id ?? '', versionId: items[0]?.id ?? '' },
    });
    await start();
    expect(await countVersions()).to.equal(3);
  });

  it('is deployed again when its description is lost, its deploy is deleted or the workspace is another', async () => {
    await writeFile(versionFile(), 'not JSON');
    await start();
    expect(await countVersions()).to.equal(4);
    const [deploy] = await listDeploys();
    await workspace.client.deleteDeploy({ params: { deployId: deploy?.id ?? '' } });
    await start();
    expect(await countVersions()).to.equal(1);
    await start((await service.createWorkspace()).apiKey);
    expect(await countVersions()).to.equal(1);
  });
});
