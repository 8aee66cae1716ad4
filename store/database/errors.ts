import postgres from 'postgres';
import { ServiceError } from '../../contracts/errors.ts';

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
