import postgres from 'postgres';
import { ServiceError } from '../../contracts/errors.ts';

/** A pool, or one transaction of it: what the functions of this room speak SQL through. */
export type Sql = postgres.Sql<{ bigint: number }>;
export type Transaction = postgres.TransactionSql<{ bigint: number }>;
export type Queryable = Sql | Transaction;

/** OID of int8. */
const int8 = 20;
/** A waiting connection attempt longer than this is a database that is down: callers get 503 and try again. */
const connectTimeoutSeconds = 5;
/**
 * Between the tries of a connection that was refused. The client's own wait grows to 20 s, which calls wait too: 503 came
 * after up to 11 s, and as late the end of an outage was seen.
 */
const reconnectDelaySeconds = 0.1;
/** No statement of ours takes this long; one that does holds locks that others wait for. */
const statementTimeoutMs = 15_000;

/**
 * The one place that opens PostgreSQL. Columns are snake_case there and camelCase here; int8 is read as a number, because
 * every one of ours is a time or a size below 2^53.
 */
export const openDatabase = (url: string, poolSize: number): Sql =>
  postgres(url, {
    max: poolSize,
    connect_timeout: connectTimeoutSeconds,
    backoff: () => reconnectDelaySeconds,
    connection: {
      application_name: 'document-rendering-service',
      statement_timeout: statementTimeoutMs,
    },
    transform: { undefined: null, column: { from: postgres.toCamel, to: postgres.fromCamel } },
    types: {
      bigint: {
        to: int8,
        from: [int8],
        parse: Number,
        serialize: (value: number) => String(value),
      },
    },
    onnotice: () => {},
  });

/** Runs in a transaction of its own, or in the caller's where it has one. */
export const inTransaction = async <T>(
  sql: Queryable,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> => ('begin' in sql ? ((await sql.begin(run)) as T) : run(sql));

/** Clauses of a query, for what is given; nothing for what is not. */
export const clausesFor =
  (sql: Queryable) =>
  <T>(value: T | undefined, clause: (value: T) => ReturnType<Queryable>) =>
    value === undefined ? sql`` : clause(value);

/** Reads that belong together: all of them see the database as it is at one moment. */
export const readSnapshot = async <T>(
  sql: Sql,
  read: (tx: Transaction) => Promise<T>,
): Promise<T> => (await sql.begin('isolation level repeatable read read only', read)) as T;

/** What only one process of all does at a time. Any numbers, the same in all processes and releases. */
const locks = { migration: 4_706_213, reconciliation: 4_706_214 } as const;

/** Waits until no other process is at it; then it is this transaction's until its end. */
export const lockFor = (tx: Transaction, work: keyof typeof locks) =>
  tx`select pg_advisory_xact_lock(${locks[work]})`;

/** Runs unless another process is at it. The lock is a session's: no transaction is open meanwhile. */
export async function alone(
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

/** True when the database answers. */
export const isReachable = (sql: Sql): Promise<boolean> =>
  sql`select 1`.then(
    () => true,
    () => false,
  );

/** SQLSTATEs that the service reacts to: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const sqlStates = {
  uniqueViolation: '23505',
  lockNotAvailable: '55P03',
} as const;

export const hasSqlState = (error: unknown, state: string, constraint?: string): boolean =>
  error instanceof postgres.PostgresError &&
  error.code === state &&
  (constraint === undefined || error.constraint_name === constraint);

/** Codes of the client for a connection that is gone or cannot be had. */
const connectionCodes = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
]);
/**
 * Classes 08 (connection), 53 (resources), 57 (operator intervention: shutting down, starting up, statement timeout), 55P03, a
 * lock that could not be had in time, and 40P01, a deadlock, which one of two transactions pays for.
 */
const unavailableState = /^(08|53|57)|^55P03$|^40P01$/;

/** True when the database, not the statement, is the trouble: the same call can succeed later. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return connectionCodes.has(code) || unavailableState.test(code);
};

/** What a caller is told while the database is unavailable: 503, and when to try again (REST 7). */
export const databaseUnavailable = (cause: unknown): ServiceError =>
  new ServiceError('service_unavailable', undefined, { cause });

/** Drops what is null or undefined: a column without value is a field that is absent (REST 2). */
export const present = <T extends object>(row: T): Present<T> =>
  Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null && value !== undefined),
  ) as Present<T>;

/** A row as it is read: a column without value is null. */
export type Nullable<T> = {
  [K in keyof T]-?: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K];
};

type Nullish<T> = {
  [K in keyof T]-?: null extends T[K] ? K : undefined extends T[K] ? K : never;
}[keyof T];
export type Present<T> = Omit<T, Nullish<T>> & { [K in Nullish<T>]?: NonNullable<T[K]> };
