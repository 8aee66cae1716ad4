import { z } from 'zod';
import { personSchema, signInLinkSchema } from '../../contracts/admin/people.ts';
import { pageInput, pageOf } from '../../contracts/pagination.ts';
import { signInLink } from '../../contracts/processes/web-addresses.ts';
import { createRecoveryLink } from '../../store/people/sign-in-links.ts';
import { listPeople, setOperator } from '../../store/people/users.ts';
import { audited } from './audited.ts';
import { operatorProcedure, router } from './procedures.ts';

const answer = pageOf(personSchema);

/** Everybody who has an account, for operators. */
export const peopleRouter = router({
  /** @param email any part of the address */
  list: operatorProcedure
    .input(pageInput.extend({ email: z.string().min(1).max(254).toLowerCase().optional() }))
    .output(answer)
    .query(({ ctx: { service }, input }) =>
      listPeople(service.store.sql, service.store.cursors, input),
    ),

  /**
   * For who has lost the way in. Opening the link ends the person's sessions and ways to sign in, and a new password is chosen
   * (`account.complete`). It is shown here and never again; whoever asks hands it on.
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

  /** Lets a person do everything in every workspace, or ends that; at once, also in sessions that last. */
  setOperator: operatorProcedure
    .input(z.object({ userId: z.string(), operator: z.boolean() }))
    .mutation(({ ctx, input: { userId, operator } }) =>
      audited(ctx, (tx) => setOperator(tx, { userId, operator }), {
        target: userId,
        details: { operator },
      }),
    ),
});
