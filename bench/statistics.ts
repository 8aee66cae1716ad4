/** Returns the smallest value that at least this share of all values does not exceed (nearest rank); NaN for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Returns the median, the smallest and the largest value. */
export const spread = (values: readonly number[]): Spread => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});
