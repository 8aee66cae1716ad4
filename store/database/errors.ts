import postgres from 'postgres';
import { ServiceError } from '../../contracts/errors.ts';

/** SQLSTATEs that the service reacts to: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const sqlStates = {
  uniqueViolation: '23505',
  lockNotAvailable: '55P03',
} as const;

/** True if PostgreSQL refused a statement with this SQLSTATE and, if `constraint` is set, because of that constraint. */
export const hasSqlState = (error: unknown, state: string, constraint?: string): boolean =>
  error instanceof postgres.PostgresError &&
  error.code === state &&
  (constraint === undefined || error.constraint_name === constraint);

/** Error codes of the PostgreSQL client and of Node for a connection that broke or could not be opened. */
const connectionCodes = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);
/**
 * SQLSTATEs of an unavailable database. They are the classes 08 (connection), 53 (resources) and 57 (operator intervention:
 * shutdown, startup, statement timeout); 55P03, a
 * lock that was not available in time; and 40P01, a deadlock, which aborts one of two transactions.
 */
const unavailableState = /^(08|53|57)|^55P03$|^40P01$/;

/**
 * True if the same call can succeed later: the database was not reachable, had no resources or was shutting down, or a timeout, a lock
 * or a deadlock ended the statement. It looks only at the code of the error, so exclude errors of other services first.
 */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return connectionCodes.has(code) || unavailableState.test(code);
};

/** The error that callers get while the database is unavailable: 503 with the time to try again (REST 7). */
export const databaseUnavailable = (cause: unknown): ServiceError =>
  new ServiceError('service_unavailable', undefined, { cause });
