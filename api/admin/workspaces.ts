import { z } from 'zod';
import { workspaceName, workspaceSchema } from '../../contracts/admin/workspaces.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { pageInput, pageOf } from '../../contracts/pagination.ts';
import { blankPlan, type PlanCatalogue } from '../../contracts/plans.ts';
import { changePlan } from '../../store/change-plan.ts';
import { createOwnedWorkspace } from '../../store/people/workspace-owners.ts';
import {
  createWorkspace,
  getWorkspace,
  listWorkspaces,
  renameWorkspace,
} from '../../store/workspaces/workspaces.ts';
import { audited } from './audited.ts';
import { isOperator, viewerOf } from './context.ts';
import {
  memberProcedure,
  operatorWorkspaceProcedure,
  ownerProcedure,
  router,
  signedInProcedure,
} from './procedures.ts';

function assertPlan(plans: PlanCatalogue, plan: string): void {
  if (!Object.hasOwn(plans, plan))
    throw new ServiceError(
      'invalid_request',
      `There is no plan of that name: choose one of ${Object.keys(plans).join(', ')}.`,
    );
}

export const workspacesRouter = router({
  /** Lists the workspaces in which the user is a member. Operators get all workspaces, unless they set `mine`. */
  list: signedInProcedure
    .input(pageInput.extend({ mine: z.boolean().default(false) }))
    .output(pageOf(workspaceSchema))
    .query(({ ctx: { service, actor }, input: { mine, ...page } }) => {
      const { sql, cursors } = service.store;
      const viewer = viewerOf(actor);
      return listWorkspaces(sql, cursors, mine ? { ...viewer, operator: false } : viewer, page);
    }),

  get: memberProcedure.output(workspaceSchema).query(({ ctx }) => ctx.workspace),

  /**
   * A user owns the workspace that they create. It is on the free plan: only operators can choose another plan. A workspace that
   * the admin token creates has no owner until an invited owner accepts.
   */
  create: signedInProcedure
    .input(z.object({ name: workspaceName, plan: z.string() }))
    .output(workspaceSchema)
    .mutation(({ ctx, input: { name, plan } }) => {
      const { actor, now, service } = ctx;
      assertPlan(service.config.plans, plan);
      if (plan !== blankPlan && !isOperator(actor))
        throw new ServiceError(
          'forbidden',
          'Only operators can choose another plan: choose "blank".',
        );
      const viewer = viewerOf(actor);
      const ownerId = viewer.userId;
      return audited(
        ctx,
        async (tx) => {
          const id =
            ownerId === undefined
              ? await createWorkspace(tx, { name, plan, now })
              : await createOwnedWorkspace(tx, { name, plan, ownerId, now });
          return getWorkspace(tx, id, viewer);
        },
        ({ id }) => ({ workspaceId: id, target: id, details: { name, plan } }),
      );
    }),

  rename: ownerProcedure
    .input(z.object({ name: workspaceName }))
    .output(workspaceSchema)
    .mutation(({ ctx, input: { workspaceId, name } }) =>
      audited(
        ctx,
        async (tx) => {
          await renameWorkspace(tx, workspaceId, name);
          return getWorkspace(tx, workspaceId, viewerOf(ctx.actor));
        },
        { target: workspaceId, details: { name } },
      ),
    ),

  /** Only operators change plans: payment is arranged outside of this service. */
  changePlan: operatorWorkspaceProcedure
    .input(z.object({ plan: z.string() }))
    .output(workspaceSchema)
    .mutation(async ({ ctx, input: { workspaceId, plan } }) => {
      const { service, now, workspace } = ctx;
      const { plans } = service.config;
      assertPlan(plans, plan);
      const details = { from: workspace.plan, to: plan };
      const changed = await audited(
        ctx,
        async (tx) => {
          await changePlan(tx, plans, { workspaceId, plan, now });
          return getWorkspace(tx, workspaceId, viewerOf(ctx.actor));
        },
        { target: workspaceId, details },
      );
      service.relay.wake();
      return changed;
    }),
});
