import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { type Service, startService } from '../support/service.ts';
import { findBlock, projectFolder, readBlocks } from './blocks.ts';
import { installNode20 } from './node-20.ts';
import { runCommand } from './run.ts';
import { findTypeErrors } from './type-errors.ts';

const builtFolder = join(projectFolder, 'client/dist');
const consumer = findBlock(readBlocks('client/README.md'), 'ts');
const page = findBlock(readBlocks('README.md'), 'html');

const readJson = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

/** The consumer is the block of client/README.md, in a project that has only the packed client and what npm installs with it. */
describe('the package of the client', function () {
  this.timeout(180_000);
  let service: Service;
  let folder: string;
  let node20: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-package-'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await runNpm('pack', builtFolder);
    const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
    await runNpm('install', '--prefer-offline', `./${tarball}`);
    node20 = await installNode20();
    service = await startService();
    await writeFile(join(folder, 'consumer.ts'), consumer.text);
    await writeFile(join(folder, 'consumer.js'), consumer.text);
    await mkdir(join(folder, 'document'));
    await writeFile(join(folder, 'document/index.html'), page.text);
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
    await service?.[Symbol.asyncDispose]();
  });

  const runNpm = async (...args: string[]): Promise<void> => {
    const outcome = await runCommand('npm', [...args, '--no-audit', '--no-fund'], { cwd: folder });
    if (outcome.code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${outcome.stderr}`);
  };

  it('has only the client and the contracts that it needs, and the exact versions of the service', async () => {
    const [root, built] = [
      await readJson(join(projectFolder, 'package.json')),
      await readJson(join(builtFolder, 'package.json')),
    ];
    expect(built).to.include({ name: 'document-rendering-client', version: root.version });
    expect(built.dependencies).to.deep.equal({
      'typeid-js': root.dependencies['typeid-js'],
      zod: root.dependencies.zod,
    });
    const installed = join(folder, 'node_modules/document-rendering-client');
    const names = await readdir(installed);
    const expected = ['README.md', 'client', 'contracts', 'index.d.ts', 'index.js', 'package.json'];
    expect(names).to.have.members(expected);
    const contracts = await readdir(join(installed, 'contracts'));
    expect(contracts).not.to.include('admin').and.not.to.include('processes');
  });

  for (const moduleResolution of ['NodeNext', 'Bundler'] as const)
    it(`has types that resolve with moduleResolution ${moduleResolution}, and that find mistakes`, async () => {
      const [right, wrong] = [join(folder, 'consumer.ts'), join(folder, 'wrong.ts')];
      const mistakes = consumer.text
        .replace("slug: 'letter'", 'slug: 1')
        .replace('job.status', 'job.state');
      await writeFile(wrong, mistakes);
      const alsoCheck = '/node_modules/document-rendering-client/';
      const errors = findTypeErrors({ files: [right, wrong], moduleResolution, alsoCheck });
      expect(errors.filter((error) => !error.startsWith(wrong))).to.deep.equal([]);
      expect(errors.join('\n'))
        .to.include("Type 'number' is not assignable to type 'string'")
        .and.include("Property 'state' does not exist");
    });

  it('deploys, renders and downloads on Node 20, and shows the error of the API', async () => {
    const { apiKey } = await service.createWorkspace();
    const runConsumer = (key: string) =>
      runCommand('node', ['consumer.js'], {
        cwd: folder,
        env: {
          PATH: `${node20}${delimiter}${process.env.PATH}`,
          DRS_BASE_URL: service.baseUrl,
          DRS_API_KEY: key,
        },
      });
    const outcome = await runConsumer(apiKey);
    expect(outcome.code, outcome.stderr).to.equal(0);
    const pdf = await readFile(join(folder, 'letter.pdf'), 'latin1');
    expect(pdf).to.match(/^%PDF-/);

    const refused = await runConsumer('wrong');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.match(/401 unauthorized: /);
  });
});
