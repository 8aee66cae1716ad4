import { z } from 'zod';
import {
  accountSchema,
  emailAddress,
  password,
  personName,
} from '../../contracts/schemas/people.ts';
import { completeAccount, getAccount } from '../../store/users.ts';
import { audited } from './audited.ts';
import { personProcedure, router } from './procedures.ts';

/** The account of the person who has signed in. */
export const accountRouter = router({
  get: personProcedure
    .output(accountSchema)
    .query(({ ctx }) => getAccount(ctx.service.store.sql, ctx.actor.id)),

  /** Chooses name, e-mail address and the first password, after signing in by a one-time link. */
  complete: personProcedure
    .input(z.object({ name: personName, email: emailAddress, password }))
    .output(accountSchema)
    .mutation(async ({ ctx, input: { name, email, password: chosen } }) => {
      const userId = ctx.actor.id;
      const passwordHash = await ctx.service.signIn.hashPassword(chosen);
      return audited(
        ctx,
        async (tx) => {
          await completeAccount(tx, { userId, name, email, passwordHash });
          return getAccount(tx, userId);
        },
        { target: userId },
      );
    }),
});
