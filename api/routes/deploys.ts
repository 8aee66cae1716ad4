import { ServiceError } from '../../contracts/errors.ts';
import type { deployRoutes } from '../../contracts/rest/routes/deploys.ts';
import { aliasName } from '../../contracts/rest/schemas/aliases.ts';
import { deleteAlias, listAliases, setAlias } from '../../store/deploys/aliases.ts';
import {
  deleteDeployVersion,
  getReadyVersion,
  listDeployVersions,
} from '../../store/deploys/deploy-versions.ts';
import {
  createDeploy,
  deleteDeploy,
  getDeploy,
  listDeploys,
  updateDeploy,
} from '../../store/deploys/deploys.ts';
import type { ApiContext } from '../context.ts';
import type { Handlers } from '../endpoint.ts';

/** Deploys, their versions and aliases (REST 4.1). */
export const createDeployHandlers = ({
  store: { sql, cursors },
}: ApiContext): Handlers<typeof deployRoutes> => ({
  async createDeploy({ caller: { workspaceId, policy }, body, now }) {
    if (body.type === 'url' && !policy.allowExternalNetwork)
      throw new ServiceError('workspace_pro_required');
    return { deploy: await createDeploy(sql, { ...body, workspaceId, now }) };
  },

  listDeploys: ({ caller, query }) => listDeploys(sql, cursors, { ...caller, ...query }),

  getDeploy: async ({ caller, params }) => ({
    deploy: await getDeploy(sql, caller.workspaceId, params.deployId),
  }),

  updateDeploy: async ({ caller, params, body }) => ({
    deploy: await updateDeploy(sql, caller.workspaceId, params.deployId, body),
  }),

  deleteDeploy: ({ caller, params, now }) =>
    deleteDeploy(sql, caller.workspaceId, params.deployId, now),

  async setAlias({ caller, params, body, now }) {
    const alias = aliasName.safeParse(params.alias);
    if (!alias.success)
      throw new ServiceError('invalid_request', `An alias is ${alias.error.issues[0]?.message}.`);
    return setAlias(sql, { ...caller, ...params, ...body, now });
  },

  async listAliases({ caller, params: { deployId }, query }) {
    await getDeploy(sql, caller.workspaceId, deployId);
    return listAliases(sql, cursors, { deployId, ...query });
  },

  async deleteAlias({ caller, params: { deployId, alias } }) {
    await getDeploy(sql, caller.workspaceId, deployId);
    await deleteAlias(sql, deployId, alias);
  },

  async listDeployVersions({ caller, params: { deployId }, query }) {
    await getDeploy(sql, caller.workspaceId, deployId);
    return listDeployVersions(sql, cursors, { deployId, ...query });
  },

  async getDeployVersion({ caller, params: { deployId, versionId } }) {
    await getDeploy(sql, caller.workspaceId, deployId);
    return { deployVersion: await getReadyVersion(sql, deployId, versionId) };
  },

  async deleteDeployVersion({ caller, params, now }) {
    await getDeploy(sql, caller.workspaceId, params.deployId);
    await deleteDeployVersion(sql, { ...params, now });
  },
});
