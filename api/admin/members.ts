import { z } from 'zod';
import { memberRoleSchema, memberSchema } from '../../contracts/admin/members.ts';
import { listOf } from '../../contracts/pagination.ts';
import { changeMemberRole, listMembers, removeMember } from '../../store/people/members.ts';
import { audited } from './audited.ts';
import { memberProcedure, ownerProcedure, router } from './procedures.ts';

/** Members of a workspace. */
export const membersRouter = router({
  list: memberProcedure.output(listOf(memberSchema)).query(async ({ ctx, input }) => ({
    items: await listMembers(ctx.service.store.sql, input.workspaceId),
  })),

  changeRole: ownerProcedure
    .input(z.object({ userId: z.string(), role: memberRoleSchema }))
    .mutation(({ ctx, input: { workspaceId, userId, role } }) =>
      audited(ctx, (tx) => changeMemberRole(tx, { workspaceId, userId, role }), {
        target: userId,
        details: { role },
      }),
    ),

  remove: ownerProcedure
    .input(z.object({ userId: z.string() }))
    .mutation(({ ctx, input: { workspaceId, userId } }) =>
      audited(ctx, (tx) => removeMember(tx, { workspaceId, userId }), { target: userId }),
    ),
});
