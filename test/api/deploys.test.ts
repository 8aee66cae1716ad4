import { expect } from 'chai';
import { newId } from '../../contracts/ids.ts';
import type { DeployVersion } from '../../contracts/rest/schemas/versions.ts';
import { deployPage } from '../support/documents.ts';
import type { Workspace } from '../support/service.ts';
import {
  call,
  countRows,
  expectRefusal,
  expectSuccess,
  uniqueSlug,
  unusedIds,
  useApi,
} from './api-fixture.ts';

const targetUrl = 'https://example.com/document?id=1';

describe('deploys', () => {
  const api = useApi();
  let workspace: Workspace;
  before(async () => {
    workspace = await api().service.createWorkspace();
  });
  const create = async (change: object = {}) => {
    const { apiKey } = workspace;
    const body = { slug: uniqueSlug(), name: 'Invoice', ...change };
    return (await expectSuccess(api(), 'createDeploy', { apiKey, body })).deploy;
  };
  const auth = () => ({ apiKey: workspace.apiKey });

  it('are managed by default, without a targetUrl', async () => {
    const before = Date.now();
    const deploy = await create({ slug: 'invoice' });
    expect(deploy).to.have.all.keys('id', 'workspaceId', 'slug', 'name', 'type', 'createdAt');
    expect(deploy).to.include({ workspaceId: workspace.id, slug: 'invoice', type: 'managed' });
    expect(deploy.createdAt).to.be.within(before, Date.now());
  });

  it('of type url have a targetUrl', async () => {
    expect(await create({ type: 'url', targetUrl })).to.include({ type: 'url', targetUrl });
  });

  it('of type url need a plan with external network', async () => {
    const blank = await api().service.createWorkspace('blank');
    const body = { slug: 'hosted', name: 'Hosted', type: 'url', targetUrl };
    const { apiKey } = blank;
    await expectRefusal(api(), 'createDeploy', 'workspace_pro_required', { apiKey, body });
  });

  it('have a unique slug in the workspace, even if several are created at the same time', async () => {
    const body = { slug: uniqueSlug(), name: 'Twice' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => call(api(), 'createDeploy', { ...auth(), body })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409]);
    await expectRefusal(api(), 'createDeploy', 'deploy_slug_conflict', { ...auth(), body });
  });

  it('can be read after they were created', async () => {
    const deploy = await create({ type: 'url', targetUrl });
    const params = { deployId: deploy.id };
    expect(await expectSuccess(api(), 'getDeploy', { ...auth(), params })).to.deep.equal({
      deploy,
    });
  });

  const changes = [
    { name: 'Renamed' },
    { slug: 'renamed' },
    { targetUrl: 'http://example.org/' },
    { name: 'All', slug: 'all', targetUrl: 'http://example.net/' },
    {},
  ];
  for (const change of changes)
    it(`are changed by ${JSON.stringify(change)} only in these fields`, async () => {
      const deploy = await create({ type: 'url', targetUrl });
      const input = { ...auth(), params: { deployId: deploy.id } };
      const answer = await expectSuccess(api(), 'updateDeploy', { ...input, body: change });
      expect(answer.deploy).to.deep.equal({ ...deploy, ...change });
      expect(await expectSuccess(api(), 'getDeploy', input)).to.deep.equal(answer);
    });

  it('cannot get the slug of another deploy, but can keep their own', async () => {
    const [one, other] = [await create(), await create()];
    const input = { ...auth(), params: { deployId: one.id } };
    const body = { slug: other.slug, name: 'No' };
    await expectRefusal(api(), 'updateDeploy', 'deploy_slug_conflict', { ...input, body });
    expect(await expectSuccess(api(), 'getDeploy', input)).to.deep.equal({ deploy: one });
    await expectSuccess(api(), 'updateDeploy', { ...input, body: { slug: one.slug } });
  });

  it('that are managed cannot get a targetUrl', async () => {
    const params = { deployId: (await create()).id };
    const input = { ...auth(), params, body: { targetUrl } };
    await expectRefusal(api(), 'updateDeploy', 'deploy_type_conflict', input);
  });

  it('that are deleted cannot be used any more, and their slug is free', async () => {
    const deploy = await create();
    const input = { ...auth(), params: { deployId: deploy.id } };
    await expectSuccess(api(), 'deleteDeploy', input);
    for (const operation of ['getDeploy', 'deleteDeploy'] as const)
      await expectRefusal(api(), operation, 'deploy_not_found', input);
    await expectRefusal(api(), 'updateDeploy', 'deploy_not_found', { ...input, body: {} });
    const jobs = { ...auth(), query: { deployId: deploy.id } };
    await expectRefusal(api(), 'listRenderJobs', 'deploy_not_found', jobs);
    expect((await create({ slug: deploy.slug })).id).not.to.equal(deploy.id);
  });

  describe('aliases', () => {
    let version: DeployVersion;
    before(async () => {
      version = await deployPage(workspace.client, '<!doctype html><p>Alias</p>');
    });
    const point = (alias: string, deployVersionId: string) => ({
      ...auth(),
      params: { deployId: version.deployId, alias },
      body: { deployVersionId },
    });

    for (const pointer of ['a version', 'latest'])
      it(`point at ${pointer}, and can be set again`, async () => {
        const deployVersionId = pointer === 'latest' ? 'latest' : version.id;
        for (let time = 0; time < 2; time++) {
          const answer = await expectSuccess(
            api(),
            'setAlias',
            point('production', deployVersionId),
          );
          expect(answer).to.deep.include({
            deployId: version.deployId,
            alias: 'production',
            deployVersionId,
          });
        }
      });

    it('can only point at a version of this deploy', async () => {
      const other = await deployPage(workspace.client, '<!doctype html><p>Other</p>');
      for (const id of [newId('deployVersion'), other.id, 'nothing', 'preview'])
        await expectRefusal(api(), 'setAlias', 'deploy_version_not_found', point('production', id));
    });

    for (const alias of ['latest', '-a', 'a%20b', 'ver_1', 'x'.repeat(64)])
      it(`cannot be named ${alias.slice(0, 20)}`, async () => {
        await expectRefusal(api(), 'setAlias', 'invalid_request', point(alias, 'latest'));
      });

    for (const alias of ['a%2Fb', '%00'])
      it(`cannot be named ${alias}, which does not match the path`, async () => {
        await expectRefusal(api(), 'setAlias', 'not_found', point(alias, 'latest'));
      });

    it('exist only for managed deploys', async () => {
      const { id } = await create({ type: 'url', targetUrl });
      await expectRefusal(api(), 'setAlias', 'deploy_type_conflict', {
        ...point('production', 'latest'),
        params: { deployId: id, alias: 'production' },
      });
    });
  });

  const valid = { slug: 'valid', name: 'Valid' };
  const url = { ...valid, type: 'url' };
  const badBodies: [string, unknown][] = [
    ['no slug', { name: 'x' }],
    ['no name', { slug: 'x' }],
    ['an empty name', { ...valid, name: '' }],
    ['a name of 256 characters', { ...valid, name: 'x'.repeat(256) }],
    ['a number as name', { ...valid, name: 1 }],
    ['null as slug', { ...valid, slug: null }],
    ['an upper-case slug', { ...valid, slug: 'Invoice' }],
    ['a slug with a slash', { ...valid, slug: 'a/b' }],
    ['a slug of 64 characters', { ...valid, slug: 'x'.repeat(64) }],
    ['an unknown type', { ...valid, type: 'static' }],
    ['an unknown field', { ...valid, colour: 'blue' }],
    ['a url deploy without targetUrl', url],
    ['a managed deploy with targetUrl', { ...valid, targetUrl }],
    ['NUL in the name', { ...valid, name: 'a\u0000b' }],
    ['a lone surrogate in the name', { ...valid, name: '\ud800' }],
    ...[
      'ftp://example.com',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'example.com',
      '',
      'http://',
    ].map((bad): [string, unknown] => [`the targetUrl ${bad}`, { ...url, targetUrl: bad }]),
    ['an array', []],
    ['a string', '"text"'],
    ['null', 'null'],
  ];
  for (const [what, body] of badBodies)
    it(`cannot be created from a body with ${what}, and nothing is stored`, async () => {
      const before = await countRows(api(), workspace.id);
      await expectRefusal(api(), 'createDeploy', 'invalid_request', { ...auth(), body });
      expect(await countRows(api(), workspace.id)).to.deep.equal(before);
    });

  for (const body of [
    { name: '' },
    { slug: 'A' },
    { targetUrl: 'x' },
    { type: 'url' },
    { id: 'x' },
  ])
    it(`cannot be changed by ${JSON.stringify(body)}`, async () => {
      const params = { deployId: unusedIds.deployId };
      await expectRefusal(api(), 'updateDeploy', 'invalid_request', { ...auth(), params, body });
    });
});
