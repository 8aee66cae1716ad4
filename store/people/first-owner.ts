import type { Queryable } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { createSignInLink } from './sign-in-links.ts';
import { createUser } from './users.ts';

/** Said of the first owner until a name and an address are chosen; no mail gets there (RFC 6761). */
const nobody = { name: 'Owner', email: 'owner@localhost' };

/**
 * Makes sure that a workspace has an owner who is an operator, the first one of the installation, and returns the token of a
 * link that signs this person in.
 */
export const signInFirstOwner = (
  sql: Queryable,
  { workspaceId, now }: { workspaceId: string; now: number },
): Promise<string> =>
  inTransaction(sql, async (tx) => {
    const [operator] = await tx<{ id: string }[]>`
      select id from users where operator order by id limit 1`;
    const userId = operator?.id ?? (await createUser(tx, { ...nobody, operator: true }));
    await tx`
      insert into workspace_members ${tx({ workspaceId, userId, role: 'owner', createdAt: now })}
      on conflict (workspace_id, user_id) do nothing`;
    return createSignInLink(tx, { userId, now });
  });
