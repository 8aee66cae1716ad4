import { expect } from 'chai';
import { deployFiles, deployPage } from '../support/documents.ts';
import { expectRefusal, expectSuccess, untilStatus, unusedIds, useApi } from './api-fixture.ts';

describe('versions and aliases', function () {
  this.timeout(60_000);
  const api = useApi();

  /** Creates a deploy with `count` versions, oldest first. */
  const deployVersions = async (count: number) => {
    const { client } = api().workspace;
    const first = await deployPage(client, '<!doctype html><p>1</p>');
    const versions = [first];
    for (let number = 2; number <= count; number++)
      versions.push(
        await deployFiles(
          client,
          { deployId: first.deployId },
          { 'index.html': `<p>${number}</p>` },
        ),
      );
    return { deployId: first.deployId, versions };
  };

  it('are listed, versions newest first and aliases by name', async () => {
    const { deployId, versions } = await deployVersions(3);
    const query = { limit: 2 };
    const first = await expectSuccess(api(), 'listDeployVersions', { params: { deployId }, query });
    const rest = await expectSuccess(api(), 'listDeployVersions', {
      params: { deployId },
      query: { ...query, cursor: first.nextCursor ?? '' },
    });
    expect([...first.items, ...rest.items]).to.deep.equal(versions.toReversed());
    for (const alias of ['production', 'preview', 'B']) {
      const body = { deployVersionId: 'latest' };
      await expectSuccess(api(), 'setAlias', { params: { deployId, alias }, body });
    }
    const { items } = await expectSuccess(api(), 'listAliases', { params: { deployId } });
    expect(items.map(({ alias }) => alias)).to.deep.equal(['B', 'preview', 'production']);
  });

  it('open the page of their route, with its query and hash', async () => {
    const logPage =
      "<!doctype html><script>console.error('at ' + location.pathname + location.search + location.hash)</script>";
    const routes = [
      ['/', '/'],
      ['sub/?a=b#c', '/sub/?a=b#c'],
    ];
    for (const [route = '', address] of routes) {
      const pages = { 'index.html': logPage, 'sub/index.html': logPage };
      const { deployId } = await deployPage(api().workspace.client, pages, { route });
      const { job } = await expectSuccess(api(), 'createRenderJob', { body: { deployId } });
      const { job: ended, logs } = await untilStatus(api(), job.id);
      expect(ended.status, ended.errorMessage).to.equal('succeeded');
      expect(logs?.map(({ message }) => message).join(), route).to.include(`at ${address},`);
    }
  });

  it('are resolved when a job is created: by id, by alias, by an alias of an alias, by latest', async () => {
    const { deployId, versions } = await deployVersions(2);
    const [v1, v2] = versions;
    const point = (alias: string, deployVersionId = '') =>
      expectSuccess(api(), 'setAlias', { params: { deployId, alias }, body: { deployVersionId } });
    await point('preview', v1?.id);
    const production = await point('production', 'preview');
    expect(production.deployVersionId, 'the version at that time').to.equal(v1?.id);
    await point('newest', 'latest');
    const expected = [
      [v1?.id, v1?.id],
      ['preview', v1?.id],
      ['production', v1?.id],
      ['newest', v2?.id],
      ['latest', v2?.id],
    ];
    for (const [deployVersionId, resolved] of expected) {
      const { job } = await expectSuccess(api(), 'createRenderJob', {
        body: { deployId, deployVersionId },
      });
      expect(job.deployVersionId, deployVersionId).to.equal(resolved);
    }
    await point('preview', v2?.id);
    await expectSuccess(api(), 'deleteAlias', { params: { deployId, alias: 'preview' } });
    const body = { deployId, deployVersionId: 'preview' };
    await expectRefusal(api(), 'createRenderJob', 'alias_not_found', { body });
    await expectRefusal(api(), 'deleteAlias', 'alias_not_found', {
      params: { deployId, alias: 'preview' },
    });
  });

  it('can be deleted if no alias points at them; their numbers are never used again', async () => {
    const { deployId, versions } = await deployVersions(2);
    const versionId = versions[1]?.id ?? '';
    const params = { deployId, versionId };
    const alias = { deployId, alias: 'production' };
    await expectSuccess(api(), 'setAlias', { params: alias, body: { deployVersionId: versionId } });
    await expectRefusal(api(), 'deleteDeployVersion', 'version_in_use', { params });
    await expectSuccess(api(), 'deleteAlias', { params: alias });
    await expectSuccess(api(), 'deleteDeployVersion', { params });
    for (const operation of ['getDeployVersion', 'deleteDeployVersion'] as const)
      await expectRefusal(api(), operation, 'deploy_version_not_found', { params });
    const body = { deployVersionId: versionId };
    await expectRefusal(api(), 'setAlias', 'deploy_version_not_found', { params: alias, body });
    const { client } = api().workspace;
    const next = await deployFiles(client, { deployId }, { 'index.html': '<p>3</p>' });
    expect(next.versionNo).to.equal(3);
  });

  it('are still printed by accepted jobs after their deletion', async () => {
    const { deployId, versions } = await deployVersions(1);
    const { job } = await expectSuccess(api(), 'createRenderJob', { body: { deployId } });
    const params = { deployId, versionId: versions[0]?.id ?? '' };
    await expectSuccess(api(), 'deleteDeployVersion', { params });
    expect((await untilStatus(api(), job.id)).job.status).to.equal('succeeded');
    await expectRefusal(api(), 'createRenderJob', 'deploy_version_not_found', {
      body: { deployId },
    });
  });

  it('of a deploy that does not exist answer 404', async () => {
    const { deployId, alias } = unusedIds;
    const params = { deployId, alias, versionId: 'ver_01jd2m5k8xe7v9q4t6w3r1n0ab' };
    for (const operation of [
      'listAliases',
      'deleteAlias',
      'listDeployVersions',
      'getDeployVersion',
      'deleteDeployVersion',
    ] as const)
      await expectRefusal(api(), operation, 'deploy_not_found', { params });
  });
});
