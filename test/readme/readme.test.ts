import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { deployFolder } from '../../client/deploy-folder.ts';
import { downloadOutput, renderDocument } from '../../client/render-document.ts';
import { type Service, startService, type Workspace } from '../support/service.ts';
import { findBlock, projectFolder, readBlocks } from './blocks.ts';
import { installNode20 } from './node-20.ts';
import { type Outcome, runCommand } from './run.ts';
import { findTypeErrors } from './type-errors.ts';

const blocks = readBlocks('README.md');
const script = findBlock(blocks, 'ts');
const page = findBlock(blocks, 'html');
const runScript = findBlock(blocks, 'sh', 'render.mjs');
const runQuickstart = findBlock(blocks, 'sh', 'quickstart.sh');
/** The blocks that no test runs: `npm start` needs a clone, and the other block is about work on the code. */
const notRun = [findBlock(blocks, 'sh', 'npm start\n'), findBlock(blocks, 'sh', 'npm run check')];

describe('README.md', function () {
  this.timeout(180_000);
  let service: Service;
  let workspace: Workspace;
  /** Stands for a clone in which `npm start` runs. */
  let clone: string;
  let node20: string;

  before(async () => {
    node20 = await installNode20();
    service = await startService();
    workspace = await service.createWorkspace();
    clone = await mkdtemp(join(tmpdir(), 'readme-'));
    for (const name of ['client', 'examples'])
      await symlink(join(projectFolder, name), join(clone, name));
    await mkdir(join(clone, '.data'));
    await writeFile(
      join(clone, '.data/dev.env'),
      `DRS_BASE_URL=${service.baseUrl}\nDRS_API_KEY=${workspace.apiKey}\n`,
    );
    await writeFile(join(clone, 'render.mjs'), script.text);
  });
  after(async () => {
    await rm(clone, { recursive: true, force: true });
    await service?.[Symbol.asyncDispose]();
  });

  const runShell = (text: string, nodeFolder = dirname(process.execPath)): Promise<Outcome> =>
    runCommand('sh', ['-eu', '-c', text], {
      cwd: clone,
      env: { PATH: `${nodeFolder}${delimiter}${process.env.PATH}` },
    });
  /** Returns the PDF that a run of a block has written, and deletes it. */
  const takePdf = async (): Promise<Buffer> => {
    const file = join(clone, 'invoice.pdf');
    const bytes = await readFile(file);
    await rm(file);
    return bytes;
  };
  const expectPdf = async (outcome: Outcome): Promise<void> => {
    expect(outcome.code, `${outcome.stdout}${outcome.stderr}`).to.equal(0);
    expect((await takePdf()).toString('latin1')).to.match(/^%PDF-/);
  };

  it('has no block that these tests do not know', () => {
    const known = [script, page, runScript, runQuickstart, ...notRun];
    expect(blocks).to.have.members(known);
  });

  it('names only scripts of package.json', async () => {
    const { scripts } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));
    const text = await readFile(join(projectFolder, 'README.md'), 'utf8');
    const names = [...text.matchAll(/\bnpm (?:run )?(\w+)/g)].map(([, name]) => name);
    expect([...Object.keys(scripts), 'pack']).to.include.members(names);
  });

  it('has a script that renders an invoice on Node 20, the second time too, and on our Node', async () => {
    expect((await runShell('node --version', node20)).stdout).to.match(/^v20\./);
    const first = await runShell(runScript.text, node20);
    await expectPdf(first);
    expect(first.stdout).to.include('version 1');
    const second = await runShell(runScript.text);
    await expectPdf(second);
    expect(second.stdout).to.include('version 2');
  });

  it('has a script that is valid TypeScript', async () => {
    const file = join(clone, 'render.mts');
    await writeFile(file, script.text);
    for (const moduleResolution of ['NodeNext', 'Bundler'] as const)
      expect(findTypeErrors({ files: [file], moduleResolution })).to.deep.equal([]);
  });

  it('has a script that ends with the error of a job that fails', async () => {
    const failing = join(clone, 'failing.mjs');
    await writeFile(failing, script.text.replace('payload })', "payload: 'not an invoice' })"));
    const outcome = await runShell(runScript.text.replace('render.mjs', 'failing.mjs'), node20);
    expect(outcome.code).to.equal(1);
    expect(outcome.stderr).to.match(/The job job_\w+ is failed: \w+/);
    expect(existsSync(join(clone, 'invoice.pdf'))).to.equal(false);
  });

  it('has shell commands that render an invoice, the second time too', async () => {
    await expectPdf(await runShell(runQuickstart.text));
    await expectPdf(await runShell(runQuickstart.text));
  });

  it('calls a shell script that ends with the error of a job that fails, and of the API', async () => {
    const example = join(clone, 'failing');
    await mkdir(example);
    for (const name of ['document', 'render.json'])
      await symlink(join(projectFolder, 'examples/invoice', name), join(example, name));
    await writeFile(join(example, 'payload.json'), '"not an invoice"');
    const failed = await runShell(runQuickstart.text.replace('examples/invoice', 'failing'));
    expect(failed.code).to.equal(1);
    expect(failed.stderr).to.include('the job has ended without a PDF').and.include('"failed"');
    const refused = await runShell(
      runQuickstart.text.replace('sh examples', 'DRS_API_KEY=wrong sh examples'),
    );
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('unauthorized').and.include('401');
    expect(existsSync(join(clone, 'invoice.pdf'))).to.equal(false);
  });

  it('has a page that prints its payload', async () => {
    const folder = join(clone, 'greeting');
    await mkdir(folder);
    await writeFile(join(folder, 'index.html'), page.text);
    const { client } = workspace;
    const { deployId } = await deployFolder(client, {
      folder,
      deploy: { slug: 'greeting', name: 'Greeting' },
      // An outline has the text of the headings, readable in the bytes of the PDF.
      render: { route: 'index.html', title: 'Greeting', print: { outline: true } },
    });
    const { job } = await renderDocument(client, { deployId, payload: { name: 'Ada' } });
    expect(job.status, job.errorMessage).to.equal('succeeded');
    const pdf = Buffer.from(await downloadOutput(client, job.id));
    expect(pdf.includes('(Hello, Ada)')).to.equal(true);
  });
});
