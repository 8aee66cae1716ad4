import postgres from 'postgres';

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

/** True when the database answers. */
export const isReachable = (sql: Sql): Promise<boolean> =>
  sql`select 1`.then(
    () => true,
    () => false,
  );
