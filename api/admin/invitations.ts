import { z } from 'zod';
import {
  createdInvitationSchema,
  invitationPreviewSchema,
  invitationSchema,
} from '../../contracts/admin/invitations.ts';
import { memberRoleSchema } from '../../contracts/admin/members.ts';
import { emailAddress } from '../../contracts/admin/people.ts';
import { workspaceSchema } from '../../contracts/admin/workspaces.ts';
import { listOf } from '../../contracts/pagination.ts';
import { invitationLink } from '../../contracts/processes/web-addresses.ts';
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  previewInvitation,
  revokeInvitation,
} from '../../store/people/invitations.ts';
import { getWorkspace } from '../../store/workspaces/workspaces.ts';

import { audited } from './audited.ts';
import { actorIdOf, viewerOf } from './context.ts';
import { ownerProcedure, personProcedure, publicProcedure, router } from './procedures.ts';

const token = z.string().min(1).max(255);

/** Invitations to a workspace. Each has a link that works once. */
export const invitationsRouter = router({
  list: ownerProcedure.output(listOf(invitationSchema)).query(async ({ ctx, input }) => ({
    items: await listInvitations(ctx.service.store.sql, input.workspaceId, ctx.now),
  })),

  /** Only this answer shows the link: the caller sends it to the invited person. Revokes an earlier invitation of the same address. */
  create: ownerProcedure
    .input(z.object({ email: emailAddress, role: memberRoleSchema.default('member') }))
    .output(createdInvitationSchema)
    .mutation(async ({ ctx, input: { workspaceId, email, role } }) => {
      const { service, actor, now } = ctx;
      const invite = { workspaceId, email, role, invitedBy: actorIdOf(actor), now };
      const created = await audited(
        ctx,
        (tx) => createInvitation(tx, service.config.plans, invite),
        ({ invitation }) => ({ target: invitation.id, details: { email, role } }),
      );
      const { invitation } = created;
      return { invitation, link: invitationLink(service.publicUrl(), created.token) };
    }),

  revoke: ownerProcedure
    .input(z.object({ invitationId: z.string() }))
    .mutation(({ ctx, input: { workspaceId, invitationId } }) =>
      audited(ctx, (tx) => revokeInvitation(tx, { workspaceId, invitationId, now: ctx.now }), {
        target: invitationId,
      }),
    ),

  /** Shows the invitation of a link. A mutation, although it changes nothing: a query would have the token in its address, which is logged. */
  preview: publicProcedure
    .input(z.object({ token }))
    .output(invitationPreviewSchema)
    .mutation(({ ctx, input }) => previewInvitation(ctx.service.store.sql, input.token, ctx.now)),

  /** Accepts an invitation for the user who has signed in. The sign-in route `/accept-invitation` is for new users. */
  accept: personProcedure
    .input(z.object({ token }))
    .output(workspaceSchema)
    .mutation(({ ctx, input }) => {
      const { service, actor: user, now } = ctx;
      return audited(
        ctx,
        async (tx) => {
          const acceptance = { token: input.token, user, now };
          const { workspaceId } = await acceptInvitation(tx, service.config.plans, acceptance);
          return getWorkspace(tx, workspaceId, viewerOf(user));
        },
        ({ id }) => ({ workspaceId: id, target: user.id }),
      );
    }),
});
