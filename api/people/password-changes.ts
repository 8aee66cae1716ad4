import type { BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware, isAPIError } from 'better-auth/api';
import type { Sql } from '../../store/database/connection.ts';
import { writeAuditEntry } from '../../store/workspaces/audit-log.ts';

const isPasswordChange = ({ path }: { path?: string }): boolean => path === '/change-password';

/** Extends better-auth's change of a password: it ends all other sessions and writes an entry to the audit log. */
export const passwordChanges = ({ sql }: { sql: Sql }) =>
  ({
    id: 'password-changes',
    hooks: {
      before: [
        {
          matcher: isPasswordChange,
          handler: createAuthMiddleware(async (ctx) => ({
            context: { body: { ...ctx.body, revokeOtherSessions: true } },
          })),
        },
      ],
      after: [
        {
          matcher: isPasswordChange,
          handler: createAuthMiddleware(async ({ context: { returned, session } }) => {
            if (!session || isAPIError(returned)) return;
            const actor = session.user.id;
            const action = 'account.changePassword';
            const now = Date.now();
            await writeAuditEntry(sql, { workspaceId: null, actor, action, target: actor, now });
          }),
        },
      ],
    },
  }) satisfies BetterAuthPlugin;
