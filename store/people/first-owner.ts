import type { Queryable } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { createSignInLink } from './sign-in-links.ts';
import { createUser } from './users.ts';

/** The name and address of the first owner until the user chooses others. The address gets no mail (RFC 6761). */
const placeholder = { name: 'Owner', email: 'owner@localhost' };

/**
 * Makes the operator with the lowest id an owner of the workspace. Creates an operator if there is none. An operator who is a
 * member already keeps that role. Returns the token of a new link that signs the operator in.
 */
export const ensureFirstOwner = (
  sql: Queryable,
  { workspaceId, now }: { workspaceId: string; now: number },
): Promise<string> =>
  inTransaction(sql, async (tx) => {
    const [operator] = await tx<{ id: string }[]>`
      select id from users where operator order by id limit 1`;
    const userId = operator?.id ?? (await createUser(tx, { ...placeholder, operator: true }));
    await tx`
      insert into workspace_members ${tx({ workspaceId, userId, role: 'owner', createdAt: now })}
      on conflict (workspace_id, user_id) do nothing`;
    return createSignInLink(tx, { userId, now });
  });
