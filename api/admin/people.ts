import { z } from 'zod';
import { personSchema, signInLinkSchema } from '../../contracts/admin/people.ts';
import { pageInput, pageOf } from '../../contracts/pagination.ts';
import { signInLink } from '../../contracts/processes/web-addresses.ts';
import { createRecoveryLink } from '../../store/people/sign-in-links.ts';
import { listPeople, setOperator } from '../../store/people/users.ts';
import { audited } from './audited.ts';
import { operatorProcedure, router } from './procedures.ts';

const answer = pageOf(personSchema);

/** All users, for operators. */
export const peopleRouter = router({
  /** Lists users. `email` matches any part of the address. */
  list: operatorProcedure
    .input(pageInput.extend({ email: z.string().min(1).max(254).toLowerCase().optional() }))
    .output(answer)
    .query(({ ctx: { service }, input }) =>
      listPeople(service.store.sql, service.store.cursors, input),
    ),

  /**
   * Creates a link for a user who cannot sign in any more. Opening it ends the sessions of the user and removes all ways to sign
   * in. The user then chooses a new password (`account.complete`). Only this answer shows the link: the caller sends it to the user.
   */
  createSignInLink: operatorProcedure
    .input(z.object({ userId: z.string() }))
    .output(signInLinkSchema)
    .mutation(async ({ ctx, input: { userId } }) => {
      const { now, service } = ctx;
      const { token, expiresAt } = await audited(
        ctx,
        (tx) => createRecoveryLink(tx, { userId, now }),
        { target: userId },
      );
      return { link: signInLink(service.publicUrl(), token), expiresAt };
    }),

  /** Makes a user an operator, who can do everything in every workspace, or ends that. Takes effect at once, also in open sessions. */
  setOperator: operatorProcedure
    .input(z.object({ userId: z.string(), operator: z.boolean() }))
    .mutation(({ ctx, input: { userId, operator } }) =>
      audited(ctx, (tx) => setOperator(tx, { userId, operator }), {
        target: userId,
        details: { operator },
      }),
    ),
});
