import { pageQuery } from '../../pagination.ts';
import { type Route, route } from '../route.ts';
import { aliasListAnswer, aliasSchema, setAliasBody } from '../schemas/aliases.ts';
import {
  createDeployBody,
  deployAnswer,
  deployListAnswer,
  updateDeployBody,
} from '../schemas/deploys.ts';
import { deployVersionAnswer, deployVersionListAnswer } from '../schemas/versions.ts';

/** Deploys, their versions and aliases (REST 4.1). */
export const deployRoutes = {
  createDeploy: route({
    method: 'post',
    path: '/deploys',
    tag: 'Deploys',
    summary: 'Create a deploy',
    description:
      'A managed deploy is empty until a version is committed. A url deploy prints its `targetUrl`.',
    body: createDeployBody,
    success: { status: 201, schema: deployAnswer },
    errors: ['deploy_slug_conflict', 'workspace_pro_required'],
  }),
  listDeploys: route({
    method: 'get',
    path: '/deploys',
    tag: 'Deploys',
    summary: 'List the deploys of the workspace, newest first',
    description: 'Lists do not show the target URL: get a deploy by its id to see it.',
    query: pageQuery,
    success: { status: 200, schema: deployListAnswer },
    errors: ['invalid_cursor'],
  }),
  getDeploy: route({
    method: 'get',
    path: '/deploys/{deployId}',
    tag: 'Deploys',
    summary: 'Get a deploy',
    description: 'The answer has the type, which never changes.',
    success: { status: 200, schema: deployAnswer },
    errors: ['deploy_not_found'],
  }),
  updateDeploy: route({
    method: 'patch',
    path: '/deploys/{deployId}',
    tag: 'Deploys',
    summary: 'Change name, slug or target URL of a deploy',
    description:
      'Fields that are left out do not change. Only a url deploy has a `targetUrl`. Earlier jobs keep the old `targetUrl`.',
    body: updateDeployBody,
    success: { status: 200, schema: deployAnswer },
    errors: ['deploy_not_found', 'deploy_slug_conflict', 'deploy_type_conflict'],
  }),
  deleteDeploy: route({
    method: 'delete',
    path: '/deploys/{deployId}',
    tag: 'Deploys',
    summary: 'Delete a deploy and its versions',
    description: 'Jobs that were accepted earlier still run to their end.',
    success: { status: 204 },
    errors: ['deploy_not_found'],
  }),
  setAlias: route({
    method: 'post',
    path: '/deploys/{deployId}/aliases/{alias}',
    tag: 'Deploys',
    summary: 'Point an alias at a version',
    description: 'The change is atomic. Earlier jobs keep their version.',
    body: setAliasBody,
    success: { status: 200, schema: aliasSchema },
    errors: ['not_found', 'deploy_not_found', 'deploy_version_not_found', 'deploy_type_conflict'],
  }),
  listAliases: route({
    method: 'get',
    path: '/deploys/{deployId}/aliases',
    tag: 'Deploys',
    summary: 'List the aliases of a deploy, by name',
    description: 'Only managed deploys have aliases. `latest` is virtual and not listed.',
    query: pageQuery,
    success: { status: 200, schema: aliasListAnswer },
    errors: ['deploy_not_found', 'invalid_cursor'],
  }),
  deleteAlias: route({
    method: 'delete',
    path: '/deploys/{deployId}/aliases/{alias}',
    tag: 'Deploys',
    summary: 'Delete an alias',
    description: 'Jobs that were created with the alias keep their version.',
    success: { status: 204 },
    errors: ['deploy_not_found', 'alias_not_found', 'not_found'],
  }),
  listDeployVersions: route({
    method: 'get',
    path: '/deploys/{deployId}/versions',
    tag: 'Deploys',
    summary: 'List the versions of a deploy, newest first',
    description: 'Deleted versions are not listed.',
    query: pageQuery,
    success: { status: 200, schema: deployVersionListAnswer },
    errors: ['deploy_not_found', 'invalid_cursor'],
  }),
  getDeployVersion: route({
    method: 'get',
    path: '/deploys/{deployId}/versions/{versionId}',
    tag: 'Deploys',
    summary: 'Get a version',
    description: 'The same answer as that of the commit: number, route, title and hashes.',
    success: { status: 200, schema: deployVersionAnswer },
    errors: ['deploy_not_found', 'deploy_version_not_found'],
  }),
  deleteDeployVersion: route({
    method: 'delete',
    path: '/deploys/{deployId}/versions/{versionId}',
    tag: 'Deploys',
    summary: 'Delete a version and free its storage',
    description:
      'Its number is never used again. Jobs that were accepted earlier still run to their end.',
    success: { status: 204 },
    errors: ['deploy_not_found', 'deploy_version_not_found', 'version_in_use'],
  }),
} as const satisfies Record<string, Route>;
