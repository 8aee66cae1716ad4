import type { OperationId } from '../../contracts/rest/routes.ts';
import { deployPage } from '../support/documents.ts';
import { call, expectSuccess, uniqueSlug, untilStatus, unusedIds, useApi } from './api-fixture.ts';
import { testMatrix } from './state-matrix.ts';
import { file } from './valid-inputs.ts';

const targetUrl = 'https://example.com/';

describe('a deploy', function () {
  this.timeout(60_000);
  const api = useApi();

  interface Deployed {
    readonly deployId: string;
    readonly versionId: string;
  }
  const create = async (fields: object = {}): Promise<Deployed> => {
    const body = { slug: uniqueSlug(), name: 'States', ...fields };
    const { deploy } = await expectSuccess(api(), 'createDeploy', { body });
    return { deployId: deploy.id, versionId: unusedIds.versionId };
  };
  const deploy = async (): Promise<Deployed> => {
    const { deployId, id } = await deployPage(api().workspace.client, '<!doctype html><p>x</p>');
    return { deployId, versionId: id };
  };
  const remove = async (deployed: Deployed): Promise<Deployed> => {
    await expectSuccess(api(), 'deleteDeploy', { params: { deployId: deployed.deployId } });
    return deployed;
  };

  const ask =
    (operation: OperationId, bodyOf?: (deployed: Deployed) => object) => (deployed: Deployed) =>
      call(api(), operation, {
        params: { ...deployed, alias: 'production' },
        ...(bodyOf && { body: bodyOf(deployed) }),
      });

  const empty = {
    getDeploy: '200',
    rename: '200',
    retarget: '409 deploy_type_conflict',
    listDeployVersions: '200',
    listAliases: '200',
    'alias to latest': '200',
    'alias to the version': '404 deploy_version_not_found',
    upload: '201',
    'job of latest': '404 deploy_version_not_found',
    'job of the version': '404 deploy_version_not_found',
    listRenderJobs: '200',
    deleteDeploy: '204',
  } as const;
  const deployNotFound = '404 deploy_not_found';

  testMatrix({
    title: 'by its type and state',
    operations: {
      getDeploy: ask('getDeploy'),
      rename: ask('updateDeploy', () => ({ name: 'Renamed' })),
      retarget: ask('updateDeploy', () => ({ targetUrl })),
      listDeployVersions: ask('listDeployVersions'),
      listAliases: ask('listAliases'),
      // `latest` is a pointer, not a version (REST 2.2): it can be set before there is a version.
      'alias to latest': ask('setAlias', () => ({ deployVersionId: 'latest' })),
      'alias to the version': ask('setAlias', ({ versionId }) => ({ deployVersionId: versionId })),
      upload: ask('createUploadSession', ({ deployId }) => ({ deployId, files: [file] })),
      'job of latest': ask('createRenderJob', ({ deployId }) => ({ deployId })),
      'job of the version': ask('createRenderJob', ({ deployId, versionId }) => ({
        deployId,
        deployVersionId: versionId,
      })),
      listRenderJobs: ({ deployId }) => call(api(), 'listRenderJobs', { query: { deployId } }),
      deleteDeploy: ask('deleteDeploy'),
    },
    changing: ['deleteDeploy'],
    states: {
      'managed, empty': { reach: create, expected: empty },
      'managed, with a version': {
        reach: deploy,
        expected: {
          ...empty,
          'alias to the version': '200',
          'job of latest': '202',
          'job of the version': '202',
        },
      },
      url: {
        reach: () => create({ type: 'url', targetUrl }),
        expected: {
          ...empty,
          retarget: '200',
          'alias to latest': '409 deploy_type_conflict',
          'alias to the version': '409 deploy_type_conflict',
          upload: '409 deploy_type_conflict',
          'job of latest': '202',
          'job of the version': '409 deploy_type_conflict',
        },
      },
      deleted: {
        reach: async () => remove(await deploy()),
        expected: {
          getDeploy: deployNotFound,
          rename: deployNotFound,
          retarget: deployNotFound,
          listDeployVersions: deployNotFound,
          listAliases: deployNotFound,
          'alias to latest': deployNotFound,
          'alias to the version': deployNotFound,
          upload: deployNotFound,
          'job of latest': deployNotFound,
          'job of the version': deployNotFound,
          listRenderJobs: deployNotFound,
          deleteDeploy: deployNotFound,
        },
      },
    },
  });

  /** A version and a job that printed it. */
  interface Rendered extends Deployed {
    readonly jobId: string;
  }
  const render = async (): Promise<Rendered> => {
    const deployed = await deploy();
    const { deployId } = deployed;
    const { job } = await expectSuccess(api(), 'createRenderJob', { body: { deployId } });
    await untilStatus(api(), job.id);
    return { ...deployed, jobId: job.id };
  };
  const askOf =
    (operation: OperationId, bodyOf?: (rendered: Rendered) => object) => (rendered: Rendered) =>
      call(api(), operation, {
        params: { ...rendered, alias: 'preview' },
        ...(bodyOf && { body: bodyOf(rendered) }),
      });

  const ready = {
    getDeployVersion: '200',
    'alias to it': '200',
    'job of it': '202',
    'its job again': '202',
    'the ended job': '200',
    deleteDeployVersion: '204',
  } as const;

  testMatrix({
    title: 'has versions, by their state',
    operations: {
      getDeployVersion: askOf('getDeployVersion'),
      deleteDeployVersion: askOf('deleteDeployVersion'),
      'job of it': askOf('createRenderJob', ({ deployId, versionId }) => ({
        deployId,
        deployVersionId: versionId,
      })),
      'its job again': askOf('rerenderJob', () => ({ payload: null })),
      'the ended job': askOf('getRenderJob'),
      'alias to it': askOf('setAlias', ({ versionId }) => ({ deployVersionId: versionId })),
    },
    changing: ['deleteDeployVersion'],
    states: {
      ready: { reach: render, expected: ready },
      'ready, an alias points at it': {
        async reach() {
          const rendered = await render();
          await expectSuccess(api(), 'setAlias', {
            params: { deployId: rendered.deployId, alias: 'production' },
            body: { deployVersionId: rendered.versionId },
          });
          return rendered;
        },
        expected: { ...ready, deleteDeployVersion: '409 version_in_use' },
      },
      deleted: {
        async reach() {
          const rendered = await render();
          await expectSuccess(api(), 'deleteDeployVersion', { params: { ...rendered } });
          return rendered;
        },
        expected: {
          getDeployVersion: '404 deploy_version_not_found',
          'alias to it': '404 deploy_version_not_found',
          'job of it': '404 deploy_version_not_found',
          'its job again': '404 deploy_version_not_found',
          'the ended job': '200',
          deleteDeployVersion: '404 deploy_version_not_found',
        },
      },
      'of a deleted deploy': {
        async reach() {
          const rendered = await render();
          await remove(rendered);
          return rendered;
        },
        expected: {
          getDeployVersion: deployNotFound,
          'alias to it': deployNotFound,
          'job of it': deployNotFound,
          'its job again': deployNotFound,
          'the ended job': '200',
          deleteDeployVersion: deployNotFound,
        },
      },
    },
  });
});
