import type { Sql, Transaction } from './connection.ts';

/** Work that only one process does at a time. The numbers are arbitrary, and the same in all processes and releases. */
const locks = { migration: 4_706_213, reconciliation: 4_706_214 } as const;

/** Waits for the lock and holds it until the end of the transaction. */
export const acquireAdvisoryLock = (tx: Transaction, work: keyof typeof locks) =>
  tx`select pg_advisory_xact_lock(${locks[work]})`;

/**
 * Runs `run`, or returns at once if another process holds the lock. The lock belongs to a database connection and not to a
 * transaction, so that no transaction is open while `run` works.
 */
export async function withAdvisoryLock(
  sql: Sql,
  work: keyof typeof locks,
  run: () => Promise<void>,
): Promise<void> {
  const session = await sql.reserve();
  try {
    const [lock] = await session<
      { held: boolean }[]
    >`select pg_try_advisory_lock(${locks[work]}) as held`;
    if (!lock?.held) return;
    try {
      await run();
    } finally {
      await session`select pg_advisory_unlock(${locks[work]})`;
    }
  } finally {
    session.release();
  }
}
