import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { hashPassword } from 'better-auth/crypto';
import { z } from 'zod';
import { password, personName } from '../../contracts/admin/people.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { PlanCatalogue } from '../../contracts/plans.ts';
import { dashboardPath } from '../../contracts/processes/web-addresses.ts';
import type { Sql } from '../../store/database/connection.ts';
import { inTransaction } from '../../store/database/transactions.ts';
import { acceptInvitationAsNewUser } from '../../store/people/invitations.ts';
import { consumeSignInLink } from '../../store/people/sign-in-links.ts';
import { writeAuditEntry } from '../../store/workspaces/audit-log.ts';

type EndpointContext = Parameters<typeof setSessionCookie>[0];

/** What better-auth does not have: links that work once, of invitations and of the first owner. */
export const oneTimeLinks = ({ sql, plans }: { sql: Sql; plans: PlanCatalogue }) =>
  ({
    id: 'one-time-links',
    endpoints: {
      /** Opened in a browser: signs in and shows the dashboard, or the page to sign in, which tells what was wrong. */
      openOneTimeLink: createAuthEndpoint(
        '/one-time-link',
        { method: 'GET', query: z.object({ token: z.string().max(255) }) },
        async (ctx) => {
          try {
            const now = Date.now();
            await startSession(ctx, await consumeSignInLink(sql, { token: ctx.query.token, now }));
          } catch (error) {
            if (!(error instanceof ServiceError)) throw error;
            throw ctx.redirect(`${dashboardPath}/sign-in?error=${error.code}`);
          }
          throw ctx.redirect(`${dashboardPath}/`);
        },
      ),

      /** Makes an account for whoever was invited, and signs in. */
      acceptInvitation: createAuthEndpoint(
        '/accept-invitation',
        {
          method: 'POST',
          body: z.object({ token: z.string().max(255), name: personName, password }),
        },
        async (ctx) => {
          const { token, name, password: chosen } = ctx.body;
          const passwordHash = await hashPassword(chosen);
          const now = Date.now();
          const call = { token, name, passwordHash, now };
          const { userId, workspaceId } = await acceptAndTell(sql, plans, call).catch(toApiError);
          await startSession(ctx, userId);
          return ctx.json({ workspaceId });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;

const acceptAndTell = (
  sql: Sql,
  plans: PlanCatalogue,
  call: Parameters<typeof acceptInvitationAsNewUser>[2],
) =>
  inTransaction(sql, async (tx) => {
    const accepted = await acceptInvitationAsNewUser(tx, plans, call);
    const { userId, workspaceId } = accepted;
    const action = 'invitations.accept';
    await writeAuditEntry(tx, {
      workspaceId,
      actor: userId,
      action,
      target: userId,
      now: call.now,
    });
    return accepted;
  });

async function startSession(ctx: EndpointContext, userId: string): Promise<void> {
  const { internalAdapter } = ctx.context;
  const user = await internalAdapter.findUserById(userId);
  if (!user) throw new ServiceError('unauthorized');
  const session = await internalAdapter.createSession(userId);
  await setSessionCookie(ctx, { session, user });
}

/** In better-auth's form of an error, with the code and sentence of the catalogue. */
function toApiError(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  const { status, code, message } = error;
  throw new APIError(status as ConstructorParameters<typeof APIError>[0], { code, message });
}
