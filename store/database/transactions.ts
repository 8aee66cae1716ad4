import type { Queryable, Sql, Transaction } from './connection.ts';

/** Runs in a transaction of its own, or in the caller's where it has one. */
export const inTransaction = async <T>(
  sql: Queryable,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> => ('begin' in sql ? ((await sql.begin(run)) as T) : run(sql));

/** Reads that belong together: all of them see the database as it is at one moment. */
export const readSnapshot = async <T>(
  sql: Sql,
  read: (tx: Transaction) => Promise<T>,
): Promise<T> => (await sql.begin('isolation level repeatable read read only', read)) as T;

/** What only one process of all does at a time. Any numbers, the same in all processes and releases. */
const locks = { migration: 4_706_213, reconciliation: 4_706_214 } as const;

/** Waits until no other process is at it; then it is this transaction's until its end. */
export const takeAdvisoryLock = (tx: Transaction, work: keyof typeof locks) =>
  tx`select pg_advisory_xact_lock(${locks[work]})`;

/** Runs unless another process is at it. The lock is a session's: no transaction is open meanwhile. */
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
