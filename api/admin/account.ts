import { z } from 'zod';
import {
  accountSchema,
  emailAddress,
  password,
  personName,
  signInMethodsSchema,
} from '../../contracts/admin/people.ts';
import { completeAccount, getAccount } from '../../store/people/users.ts';
import { audited } from './audited.ts';
import { personProcedure, publicProcedure, router } from './procedures.ts';

/** How people sign in, and the account of whoever has. */
export const accountRouter = router({
  /** What the page to sign in offers, to whoever opens it. */
  signInMethods: publicProcedure.output(signInMethodsSchema).query(({ ctx }) => ({
    password: true as const,
    identityProvider: ctx.service.signIn.hasIdentityProvider,
  })),

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
