import { createHash } from 'node:crypto';
import { ServiceError } from '../../contracts/errors.ts';
import { canonicalJson } from '../../contracts/json.ts';
import { idempotencyWaitMs, idempotencyWindowMs } from '../../contracts/limits.ts';
import type { Sql, Transaction } from './connection.ts';
import { hasSqlState, sqlStates } from './errors.ts';
import { inTransaction } from './transactions.ts';

/** A call that may have an Idempotency-Key. */
export interface IdempotentCall {
  readonly workspaceId: string;
  /** The operation id of the route. */
  readonly route: string;
  readonly key: string | undefined;
  readonly body: unknown;
  readonly now: number;
}

export interface IdempotentResult<T> {
  readonly result: T;
  /** True if the result is that of an earlier call with this key. */
  readonly replayed: boolean;
}

/**
 * Runs `create` in a transaction, once for each Idempotency-Key in 24 hours (REST 8). A call without a key always runs it. The
 * transaction writes the key's row first: a simultaneous call with the same key waits for that row until the first call ends,
 * at most 5 s.
 *
 * The result is stored as the answer, so it must not contain a token.
 *
 * @throws ServiceError `idempotency_key_conflict` | `idempotency_key_in_progress`
 */
export async function createOnce<T extends object>(
  sql: Sql,
  call: IdempotentCall,
  create: (tx: Transaction) => Promise<T>,
): Promise<IdempotentResult<T>> {
  const { key } = call;
  if (key === undefined) return { result: await inTransaction(sql, create), replayed: false };
  const fingerprint = createHash('sha256').update(canonicalJson(call.body)).digest('hex');
  return inTransaction(sql, async (tx) => {
    if (await claimKey(tx, { ...call, key }, fingerprint)) {
      const result = await create(tx);
      await tx`
        update idempotency_keys set response = ${JSON.stringify(result)}::text::json
        where workspace_id = ${call.workspaceId} and route = ${call.route} and key = ${key}`;
      return { result, replayed: false };
    }
    return { result: await readStoredAnswer<T>(tx, { ...call, key }, fingerprint), replayed: true };
  });
}

type KeyedCall = IdempotentCall & { readonly key: string };

/**
 * Writes the row of the key. Returns true if this call is the first with the key, or the first since the key expired.
 *
 * @throws ServiceError `idempotency_key_in_progress`
 */
async function claimKey(tx: Transaction, call: KeyedCall, fingerprint: string): Promise<boolean> {
  await tx`select set_config('lock_timeout', ${`${idempotencyWaitMs}ms`}, true)`;
  try {
    const rows = await tx`
      insert into idempotency_keys as existing (workspace_id, route, key, fingerprint, created_at)
      values (${call.workspaceId}, ${call.route}, ${call.key}, ${fingerprint}, ${call.now})
      on conflict (workspace_id, route, key) do update
        set fingerprint = excluded.fingerprint, created_at = excluded.created_at, response = null
        where existing.created_at <= ${call.now - idempotencyWindowMs}
      returning 1`;
    return rows.length === 1;
  } catch (error) {
    if (hasSqlState(error, sqlStates.lockNotAvailable))
      throw new ServiceError('idempotency_key_in_progress', undefined, {
        cause: error,
      });
    throw error;
  }
}

/** Reads the answer of the earlier call. @throws ServiceError `idempotency_key_conflict` if that call had another body */
async function readStoredAnswer<T>(
  tx: Transaction,
  call: KeyedCall,
  fingerprint: string,
): Promise<T> {
  const [stored] = await tx<{ fingerprint: string; response: T }[]>`
    select fingerprint, response from idempotency_keys
    where workspace_id = ${call.workspaceId} and route = ${call.route} and key = ${call.key}`;
  if (stored?.fingerprint !== fingerprint) throw new ServiceError('idempotency_key_conflict');
  return stored.response;
}

/** Deletes expired keys, at most `limit`. A call with an expired key already counts as the first one. */
export async function deleteOldIdempotencyKeys(
  sql: Sql,
  createdBefore: number,
  limit: number,
): Promise<number> {
  const deleted = await sql`
    delete from idempotency_keys where (workspace_id, route, key) in (
      select workspace_id, route, key from idempotency_keys where created_at <= ${createdBefore} limit ${limit})
    returning 1`;
  return deleted.length;
}
