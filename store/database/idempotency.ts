import { createHash } from 'node:crypto';
import { ServiceError } from '../../contracts/errors.ts';
import { canonicalJson } from '../../contracts/json.ts';
import { idempotencyWaitMs, idempotencyWindowMs } from '../../contracts/limits.ts';
import type { Sql, Transaction } from './connection.ts';
import { hasSqlState, sqlStates } from './errors.ts';
import { inTransaction } from './transactions.ts';

export interface IdempotentCall {
  readonly workspaceId: string;
  /** Operation id of the route. */
  readonly route: string;
  readonly key: string | undefined;
  readonly body: unknown;
  readonly now: number;
}

export interface IdempotentResult<T> {
  readonly result: T;
  /** The first call with this key answered; nothing was done now. */
  readonly replayed: boolean;
}

/**
 * Runs `create` in a transaction, once for each Idempotency-Key in 24 hours (REST 8). The key's row is the first that the
 * transaction writes: a concurrent twin waits on it until the first call ends, at most 5 s.
 *
 * `result` is stored as the answer, so it must hold no token.
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
    return { result: await readAnswer<T>(tx, { ...call, key }, fingerprint), replayed: true };
  });
}

type KeyedCall = IdempotentCall & { readonly key: string };

/** True when this call is the first with the key, or the first since the old one's 24 hours ended. */
async function claimKey(tx: Transaction, call: KeyedCall, fingerprint: string): Promise<boolean> {
  await tx`select set_config('lock_timeout', ${`${idempotencyWaitMs}ms`}, true)`;
  try {
    const rows = await tx`
      insert into idempotency_keys as known (workspace_id, route, key, fingerprint, created_at)
      values (${call.workspaceId}, ${call.route}, ${call.key}, ${fingerprint}, ${call.now})
      on conflict (workspace_id, route, key) do update
        set fingerprint = excluded.fingerprint, created_at = excluded.created_at, response = null
        where known.created_at <= ${call.now - idempotencyWindowMs}
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

async function readAnswer<T>(tx: Transaction, call: KeyedCall, fingerprint: string): Promise<T> {
  const [known] = await tx<{ fingerprint: string; response: T }[]>`
    select fingerprint, response from idempotency_keys
    where workspace_id = ${call.workspaceId} and route = ${call.route} and key = ${call.key}`;
  if (known?.fingerprint !== fingerprint) throw new ServiceError('idempotency_key_conflict');
  return known.response;
}

/** Deletes keys whose time is over; a call with such a key is a first one already. */
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
