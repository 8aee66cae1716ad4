import postgres from 'postgres';

/** A pool of connections. */
export type Sql = postgres.Sql<{ bigint: number }>;
/** One transaction of a pool. */
export type Transaction = postgres.TransactionSql<{ bigint: number }>;
/** A pool or a transaction: functions that need no transaction of their own accept both. */
export type Queryable = Sql | Transaction;

/** The OID of PostgreSQL's type int8. */
const int8 = 20;
/** A database that accepts no connection within this time counts as down: callers get 503 and try again. */
const connectTimeoutSeconds = 5;
/**
 * The delay before the next try after a connection was refused. The default of the PostgreSQL client grows to 20 s, and calls
 * wait for that try: they got 503 after up to 11 s, and the end of an outage was noticed as late.
 */
const reconnectDelaySeconds = 0.1;
/** PostgreSQL cancels a statement that takes longer, because others wait for its locks. Only migrations turn this off. */
const statementTimeoutMs = 15_000;

/**
 * Opens a pool; this is the one place that connects to PostgreSQL. Columns are snake_case in SQL and camelCase in TypeScript.
 * int8 is read as a number, because every int8 column is a time or a size below 2^53.
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

/** True if the database answers. */
export const isReachable = (sql: Sql): Promise<boolean> =>
  sql`select 1`.then(
    () => true,
    () => false,
  );
