import { ServiceError } from '../../contracts/errors.ts';
import { dayMs, minuteMs } from '../../contracts/units.ts';
import type { Queryable, Transaction } from '../database/connection.ts';
import { hashSecret } from '../secrets/hashes.ts';
import { createOneTimeToken } from '../secrets/one-time-tokens.ts';

/** Links that sign a user in. Each works once. */

/** Enough time to copy the link from the terminal to the browser. */
const signInLifetimeMs = 15 * minuteMs;
/** Enough time to send the link to a user who can no longer sign in. */
const recoveryLifetimeMs = dayMs;

/** Creates a link that signs the user in, and returns its token. The user's older links become invalid. */
export const createSignInLink = (
  sql: Queryable,
  { userId, now }: { userId: string; now: number },
): Promise<string> =>
  insertLink(sql, { userId, recovers: false, createdAt: now, expiresAt: now + signInLifetimeMs });

/**
 * Creates a link that, when it is used, also deletes the user's sessions and sign-in methods, so that the user chooses a new
 * password. The user's older links become invalid.
 *
 * @throws ServiceError `person_not_found`
 */
export async function createRecoveryLink(
  tx: Transaction,
  { userId, now }: { userId: string; now: number },
): Promise<{ token: string; expiresAt: number }> {
  const person = await tx`select from users where id = ${userId} for key share`;
  if (person.length === 0) throw new ServiceError('person_not_found');
  const expiresAt = now + recoveryLifetimeMs;
  const token = await insertLink(tx, { userId, recovers: true, createdAt: now, expiresAt });
  return { token, expiresAt };
}

async function insertLink(
  sql: Queryable,
  link: { userId: string; recovers: boolean; createdAt: number; expiresAt: number },
): Promise<string> {
  const { token, hash } = createOneTimeToken();
  await sql`delete from sign_in_links where user_id = ${link.userId}`;
  await sql`insert into sign_in_links ${sql({ ...link, tokenHash: hash })}`;
  return token;
}

/** Marks a link as used and returns the id of its user. @throws ServiceError `sign_in_link_not_found` */
export async function consumeSignInLink(
  sql: Queryable,
  input: { token: string; now: number },
): Promise<string> {
  const { token, now } = input;
  const [used] = await sql<{ userId: string }[]>`
    with used as (
      update sign_in_links set used_at = ${now}
      where token_hash = ${hashSecret(token)} and used_at is null and expires_at > ${now}
      returning user_id, recovers),
    ended_accounts as (
      delete from user_accounts where user_id in (select user_id from used where recovers)),
    ended_sessions as (
      delete from user_sessions where user_id in (select user_id from used where recovers))
    select user_id from used`;
  if (!used) throw new ServiceError('sign_in_link_not_found');
  return used.userId;
}

/** Deletes expired sessions, sign-in links and states of an identity provider. Returns how many rows were deleted. */
export async function deleteExpiredSignInRows(sql: Queryable, now: number): Promise<number> {
  const ended = await Promise.all([
    sql`delete from user_sessions where expires_at <= ${new Date(now)} returning 1`,
    sql`delete from user_verifications where expires_at <= ${new Date(now)} returning 1`,
    sql`delete from sign_in_links where expires_at <= ${now} returning 1`,
  ]);
  return ended.reduce((sum, { length }) => sum + length, 0);
}
