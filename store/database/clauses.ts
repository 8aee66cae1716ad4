import type { Queryable } from './connection.ts';

/** Clauses of a query, for what is given; nothing for what is not. */
export const clausesFor =
  (sql: Queryable) =>
  <T>(value: T | undefined, clause: (value: T) => ReturnType<Queryable>) =>
    value === undefined ? sql`` : clause(value);
