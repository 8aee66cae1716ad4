import type { Router } from 'express';
import { ServiceError } from '../../contracts/errors.ts';
import { routes } from '../../contracts/rest/routes.ts';
import { aliasName } from '../../contracts/rest/schemas/aliases.ts';
import { deleteAlias, listAliases, setAlias } from '../../store/deploys/aliases.ts';
import {
  deleteDeployVersion,
  getReadyVersion,
  listDeployVersions,
} from '../../store/deploys/deploy-versions.ts';
import * as deploys from '../../store/deploys/deploys.ts';
import type { ApiContext } from '../context.ts';
import { mount } from '../endpoint.ts';

/** Deploys and their aliases (REST 4.1). */
export function mountDeploys(router: Router, context: ApiContext): void {
  const { sql, cursors } = context.store;

  mount(router, context, routes.createDeploy, async ({ caller, body, now }) => {
    if (body.type === 'url' && !caller.policy.allowExternalNetwork)
      throw new ServiceError('workspace_pro_required');
    return {
      body: {
        deploy: await deploys.createDeploy(sql, { ...body, workspaceId: caller.workspaceId, now }),
      },
    };
  });

  mount(router, context, routes.listDeploys, async ({ caller, query }) => ({
    body: await deploys.listDeploys(sql, cursors, {
      ...caller,
      ...query,
    }),
  }));

  mount(router, context, routes.getDeploy, async ({ caller, params }) => ({
    body: { deploy: await deploys.getDeploy(sql, caller.workspaceId, params.deployId) },
  }));

  mount(router, context, routes.updateDeploy, async ({ caller, params, body }) => ({
    body: { deploy: await deploys.updateDeploy(sql, caller.workspaceId, params.deployId, body) },
  }));

  mount(router, context, routes.deleteDeploy, async ({ caller, params, now }) => {
    await deploys.deleteDeploy(sql, caller.workspaceId, params.deployId, now);
    return { body: undefined };
  });

  mount(router, context, routes.setAlias, async ({ caller, params, body, now }) => {
    const alias = aliasName.safeParse(params.alias);
    if (!alias.success)
      throw new ServiceError('invalid_request', `An alias is ${alias.error.issues[0]?.message}.`);
    return { body: await setAlias(sql, { ...caller, ...params, ...body, now }) };
  });

  mount(router, context, routes.listAliases, async ({ caller, params: { deployId }, query }) => {
    await deploys.getDeploy(sql, caller.workspaceId, deployId);
    return { body: await listAliases(sql, cursors, { deployId, ...query }) };
  });

  mount(router, context, routes.deleteAlias, async ({ caller, params: { deployId, alias } }) => {
    await deploys.getDeploy(sql, caller.workspaceId, deployId);
    await deleteAlias(sql, deployId, alias);
    return { body: undefined };
  });

  mount(
    router,
    context,
    routes.listDeployVersions,
    async ({ caller, params: { deployId }, query }) => {
      await deploys.getDeploy(sql, caller.workspaceId, deployId);
      return { body: await listDeployVersions(sql, cursors, { deployId, ...query }) };
    },
  );

  mount(
    router,
    context,
    routes.getDeployVersion,
    async ({ caller, params: { deployId, versionId } }) => {
      await deploys.getDeploy(sql, caller.workspaceId, deployId);
      return { body: { deployVersion: await getReadyVersion(sql, deployId, versionId) } };
    },
  );

  mount(router, context, routes.deleteDeployVersion, async ({ caller, params, now }) => {
    await deploys.getDeploy(sql, caller.workspaceId, params.deployId);
    await deleteDeployVersion(sql, { ...params, now });
    return { body: undefined };
  });
}
