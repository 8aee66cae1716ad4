/** Drops what is null or undefined: a column without value is a field that is absent (REST 2). */
export const omitNulls = <T extends object>(row: T): WithoutNulls<T> =>
  Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNulls<T>;

/** A row as it is read: a column without value is null. */
export type Nullable<T> = {
  [K in keyof T]-?: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K];
};

type Nullish<T> = {
  [K in keyof T]-?: null extends T[K] ? K : undefined extends T[K] ? K : never;
}[keyof T];
export type WithoutNulls<T> = Omit<T, Nullish<T>> & { [K in Nullish<T>]?: NonNullable<T[K]> };
