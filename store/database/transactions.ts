import type { Queryable, Sql, Transaction } from './connection.ts';

/** Runs in the caller's transaction, or in a new one if the caller has none. */
export const inTransaction = async <T>(
  sql: Queryable,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> => ('begin' in sql ? ((await sql.begin(run)) as T) : run(sql));

/** Runs several reads that all see the database at the same moment. */
export const readSnapshot = async <T>(
  sql: Sql,
  read: (tx: Transaction) => Promise<T>,
): Promise<T> => (await sql.begin('isolation level repeatable read read only', read)) as T;
