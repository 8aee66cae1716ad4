/** Removes fields that are null or undefined: a column without a value is an absent field (REST 2). */
export const omitNulls = <T extends object>(row: T): WithoutNulls<T> =>
  Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNulls<T>;

/** The row of an object: a column without a value is null. */
export type Nullable<T> = {
  [K in keyof T]-?: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K];
};

type Nullish<T> = {
  [K in keyof T]-?: null extends T[K] ? K : undefined extends T[K] ? K : never;
}[keyof T];
/** The object of a row: a column without a value is an absent field. */
export type WithoutNulls<T> = Omit<T, Nullish<T>> & { [K in Nullish<T>]?: NonNullable<T[K]> };
