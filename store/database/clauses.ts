import type { Queryable } from './connection.ts';

/** Returns a function that creates a clause of a query from a value, or an empty clause if the value is undefined. */
export const clausesFor =
  (sql: Queryable) =>
  <T>(value: T | undefined, clause: (value: T) => ReturnType<Queryable>) =>
    value === undefined ? sql`` : clause(value);
