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
import { nameOf, viewerOf } from './context.ts';
import { ownerProcedure, personProcedure, publicProcedure, router } from './procedures.ts';

const token = z.string().min(1).max(255);

/** Invitations to a workspace, by links that work once. */
export const invitationsRouter = router({
  list: ownerProcedure.output(listOf(invitationSchema)).query(async ({ ctx, input }) => ({
    items: await listInvitations(ctx.service.store.sql, input.workspaceId, ctx.now),
  })),

  /** The link is shown here and never again; whoever invites hands it on. A former one of the same address ends. */
  create: ownerProcedure
    .input(z.object({ email: emailAddress, role: memberRoleSchema.default('member') }))
    .output(createdInvitationSchema)
    .mutation(async ({ ctx, input: { workspaceId, email, role } }) => {
      const { service, actor, now } = ctx;
      const given = { workspaceId, email, role, invitedBy: nameOf(actor), now };
      const created = await audited(
        ctx,
        (tx) => createInvitation(tx, service.config.plans, given),
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

  /** What the holder of the link is invited to. Changes nothing, but a query's token would be in its address, which is logged. */
  preview: publicProcedure
    .input(z.object({ token }))
    .output(invitationPreviewSchema)
    .mutation(({ ctx, input }) => previewInvitation(ctx.service.store.sql, input.token, ctx.now)),

  /** Accepts as the person who has signed in; a new person does it at `accept-invitation` of the sign-in, which signs in too. */
  accept: personProcedure
    .input(z.object({ token }))
    .output(workspaceSchema)
    .mutation(({ ctx, input }) => {
      const { service, actor: user, now } = ctx;
      return audited(
        ctx,
        async (tx) => {
          const call = { token: input.token, user, now };
          const { workspaceId } = await acceptInvitation(tx, service.config.plans, call);
          return getWorkspace(tx, workspaceId, viewerOf(user));
        },
        ({ id }) => ({ workspaceId: id, target: user.id }),
      );
    }),
});
