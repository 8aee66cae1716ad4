import { randomUUID } from 'node:crypto';
import type { Account, PersonSummary } from '../../contracts/admin/people.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { clausesFor } from '../database/clauses.ts';
import type { Queryable, Transaction } from '../database/connection.ts';
import {
  type Cursors,
  newestFirst,
  type Page,
  type PageRequest,
  readPage,
} from '../database/cursors.ts';
import { hasSqlState, sqlStates } from '../database/errors.ts';

/**
 * Users. better-auth reads and writes the same tables when users sign in. This file has the changes that must be in one
 * transaction with other changes of this service. Passwords are hashed by better-auth.
 */

/** The name of better-auth for signing in with a password. */
const passwordProvider = 'credential';

/** @throws ServiceError `account_exists` */
export async function createUser(
  tx: Transaction,
  input: { name: string; email: string; operator?: boolean; passwordHash?: string },
): Promise<string> {
  const { name, email, operator = false, passwordHash } = input;
  const id = newId('user');
  const created = await tx`
    insert into users ${tx({ id, name, email, operator })} on conflict (email) do nothing returning 1`;
  if (created.length === 0) throw new ServiceError('account_exists');
  if (passwordHash !== undefined) await setPassword(tx, id, passwordHash);
  return id;
}

/** @throws ServiceError `unauthorized` if the user does not exist */
export async function getAccount(sql: Queryable, userId: string): Promise<Account> {
  const [account] = await sql<Account[]>`
    select id, name, email, operator,
      exists (select from user_accounts a where a.user_id = u.id and a.password is not null) as has_password,
      exists (select from user_accounts a where a.user_id = u.id) as complete
    from users u where id = ${userId}`;
  if (!account) throw new ServiceError('unauthorized');
  return account;
}

/**
 * Completes an account that was created with a one-time link: it sets the name, the e-mail address and the first password.
 *
 * @throws ServiceError `account_exists` | `forbidden` if the account is complete, because others then know it by its address
 */
export async function completeAccount(
  tx: Transaction,
  input: { userId: string; name: string; email: string; passwordHash: string },
): Promise<void> {
  const { userId, name, email, passwordHash } = input;
  await tx`select from users where id = ${userId} for no key update`;
  const { complete } = await getAccount(tx, userId);
  if (complete)
    throw new ServiceError('forbidden', 'The account has a way to sign in: use that to change it.');
  try {
    await tx`
      update users set name = ${name}, email = ${email}, email_verified = email_verified and email = ${email},
        updated_at = now()
      where id = ${userId}`;
  } catch (error) {
    if (hasSqlState(error, sqlStates.uniqueViolation))
      throw new ServiceError('account_exists', undefined, { cause: error });
    throw error;
  }
  await setPassword(tx, userId, passwordHash);
}

async function setPassword(tx: Transaction, userId: string, passwordHash: string): Promise<void> {
  const account = { id: randomUUID(), userId, providerId: passwordProvider, accountId: userId };
  await tx`insert into user_accounts ${tx({ ...account, password: passwordHash })}`;
}

/** Lists all users, newest first; with `email`, only those whose address contains it. */
export const listPeople = (
  sql: Queryable,
  cursors: Cursors,
  { email, ...page }: { email?: string | undefined } & PageRequest,
): Promise<Page<PersonSummary>> =>
  readPage(cursors, `people ${email ?? ''}`, page, {
    read: (position) => sql<PersonSummary[]>`
      select id, name, email, operator, (extract(epoch from created_at) * 1000)::bigint as created_at
      from users
      where true ${clausesFor(sql)(email, (part) => sql`and position(${part} in email) > 0`)}
        ${newestFirst(sql, sql`id`, position)}`,
    toItem: (row) => row,
    toPosition: ({ id }) => id,
  });

/** @throws ServiceError `person_not_found` */
export async function setOperator(
  sql: Queryable,
  { userId, operator }: { userId: string; operator: boolean },
): Promise<void> {
  const changed = await sql`
    update users set operator = ${operator}, updated_at = now() where id = ${userId} returning 1`;
  if (changed.length === 0) throw new ServiceError('person_not_found');
}

/**
 * Locks users in the order of their ids, to count their workspaces. A workspace that already exists is always locked before.
 */
export async function lockUsers(tx: Transaction, userIds: readonly string[]): Promise<void> {
  await tx`select from users where id = any(${userIds as string[]}) order by id for no key update`;
}
