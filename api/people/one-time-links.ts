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

/** Adds links that work once to better-auth: for invited people, for the first owner and for users who cannot sign in any more. */
export const oneTimeLinks = ({ sql, plans }: { sql: Sql; plans: PlanCatalogue }) =>
  ({
    id: 'one-time-links',
    endpoints: {
      /** A link that is opened in a browser. Signs in its user and redirects to the dashboard, or to the sign-in page with an error code. */
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

      /** Creates an account for an invited person and signs in. */
      acceptInvitation: createAuthEndpoint(
        '/accept-invitation',
        {
          method: 'POST',
          body: z.object({ token: z.string().max(255), name: personName, password }),
        },
        async (ctx) => {
          const { token, name, password: newPassword } = ctx.body;
          const passwordHash = await hashPassword(newPassword);
          const now = Date.now();
          const acceptance = { token, name, passwordHash, now };
          const { userId, workspaceId } = await acceptAudited(sql, plans, acceptance).catch(
            toApiError,
          );
          await startSession(ctx, userId);
          return ctx.json({ workspaceId });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;

/** Accepts the invitation and writes it to the audit log, in one transaction. */
const acceptAudited = (
  sql: Sql,
  plans: PlanCatalogue,
  acceptance: Parameters<typeof acceptInvitationAsNewUser>[2],
) =>
  inTransaction(sql, async (tx) => {
    const accepted = await acceptInvitationAsNewUser(tx, plans, acceptance);
    const { userId, workspaceId } = accepted;
    const action = 'invitations.accept';
    await writeAuditEntry(tx, {
      workspaceId,
      actor: userId,
      action,
      target: userId,
      now: acceptance.now,
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

/** Throws a ServiceError again as an error of better-auth with the same status, code and message, and any other error unchanged. */
function toApiError(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  const { status, code, message } = error;
  throw new APIError(status as ConstructorParameters<typeof APIError>[0], { code, message });
}
