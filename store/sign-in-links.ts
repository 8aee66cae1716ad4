import { ServiceError } from '../contracts/errors.ts';
import type { Queryable } from './database.ts';
import { createOneTimeToken, hashOneTimeToken } from './secrets.ts';

/** Links that sign a person in, once and within minutes. */

/** Time to get from the terminal to the browser. */
const lifetimeMs = 15 * 60_000;

/** Returns the token of a new link; the person's older links end with it. */
export async function createSignInLink(
  sql: Queryable,
  input: { userId: string; now: number },
): Promise<string> {
  const { userId, now } = input;
  const { token, hash } = createOneTimeToken();
  await sql`delete from sign_in_links where user_id = ${userId}`;
  await sql`
    insert into sign_in_links (token_hash, user_id, created_at, expires_at)
    values (${hash}, ${userId}, ${now}, ${now + lifetimeMs})`;
  return token;
}

/** Uses a link up and returns whom it signs in. @throws ServiceError `sign_in_link_not_found` */
export async function consumeSignInLink(
  sql: Queryable,
  input: { token: string; now: number },
): Promise<string> {
  const { token, now } = input;
  const [used] = await sql<{ userId: string }[]>`
    update sign_in_links set used_at = ${now}
    where token_hash = ${hashOneTimeToken(token)} and used_at is null and expires_at > ${now}
    returning user_id`;
  if (!used) throw new ServiceError('sign_in_link_not_found');
  return used.userId;
}

/** Deletes what of signing in has ended: sessions, links, states of an identity provider. Returns how many there were. */
export async function deleteEndedSignInRows(sql: Queryable, now: number): Promise<number> {
  const ended = await Promise.all([
    sql`delete from user_sessions where expires_at <= ${new Date(now)} returning 1`,
    sql`delete from user_verifications where expires_at <= ${new Date(now)} returning 1`,
    sql`delete from sign_in_links where expires_at <= ${now} returning 1`,
  ]);
  return ended.reduce((sum, { length }) => sum + length, 0);
}
