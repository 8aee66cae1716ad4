import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useDashboard, waitUntilLoaded } from './dashboard-fixture.ts';
import { createTeam } from './team.ts';

const run = promisify(execFile);

describe('the first steps in the dashboard', function () {
  this.timeout(120_000);
  const dashboard = useDashboard();
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'first-steps-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('create a PDF when their commands are run in a shell in order', async () => {
    const owner = await dashboard().createOwner({ plan: 'blank' });
    await using opened = await dashboard().open(`/${owner.workspaceId}`, { as: owner });
    const { page } = opened;
    await waitUntilLoaded(page);
    const commands = await page.getByRole('main').locator('pre').allTextContents();
    expect(commands).to.have.length(4);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('terminal');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const shown = page.getByRole('region', { name: 'API key', exact: true });
    const key = (await shown.textContent()) ?? '';
    const script = commands.join('\n').replace('drs_…', key);
    await run('sh', ['-euc', script], { cwd: folder });
    const pdf = await readFile(join(folder, 'hello.pdf'));
    expect(pdf.subarray(0, 5).toString()).to.equal('%PDF-');

    await page.getByRole('heading', { name: 'Deploy a document – done' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Succeeded .* Hello/ }).waitFor();
  });

  it('commit the first version of a document by the commands on its page', async () => {
    const team = await createTeam(dashboard());
    const { deploy } = await team.api.createDeploy({ body: { slug: 'hi', name: 'Hi' } });
    await using opened = await dashboard().open(`${team.path}/documents/${deploy.id}`, {
      as: team,
    });
    const { page } = opened;
    const commands = page.getByRole('region', { name: 'Command: No version yet' });
    const env = { ...process.env, DRS_API_KEY: team.apiKey };
    await run('sh', ['-euc', (await commands.textContent()) ?? ''], { cwd: folder, env });
    await page.reload();
    await page.getByRole('row', { name: /^v1 Hello hello.html/ }).waitFor();
  });
});
