/** A bill period is a calendar month in UTC, and a usage day is a day in UTC (REST 2.13). The time zone of a machine does not matter. */
export interface BillPeriod {
  /** First millisecond of the period, Unix ms. */
  readonly start: number;
  /** First millisecond after the period, Unix ms. */
  readonly end: number;
}

/** Finds the bill period that contains a moment (Unix ms). */
export function billPeriodOf(at: number): BillPeriod {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}

/** Formats the usage day of a moment (Unix ms) as `YYYY-MM-DD`. */
export const usageDayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
