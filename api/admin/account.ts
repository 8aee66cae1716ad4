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

/** The ways to sign in, and the account of the calling user. */
export const accountRouter = router({
  /** The ways to sign in that the sign-in page shows. */
  signInMethods: publicProcedure.output(signInMethodsSchema).query(({ ctx }) => ({
    password: true as const,
    identityProvider: ctx.service.signIn.hasIdentityProvider,
  })),

  get: personProcedure
    .output(accountSchema)
    .query(({ ctx }) => getAccount(ctx.service.store.sql, ctx.actor.id)),

  /** Sets name, e-mail address and password of a user who signed in by a one-time link and has no other way to sign in. */
  complete: personProcedure
    .input(z.object({ name: personName, email: emailAddress, password }))
    .output(accountSchema)
    .mutation(async ({ ctx, input: { name, email, password: newPassword } }) => {
      const userId = ctx.actor.id;
      const passwordHash = await ctx.service.signIn.hashPassword(newPassword);
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
