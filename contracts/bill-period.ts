/** A bill period is a calendar month in UTC, whatever the clock of a machine shows; a usage day is a day in UTC (REST 2.13). */
export interface BillPeriod {
  /** Its first millisecond, Unix ms. */
  readonly start: number;
  /** The first millisecond after it. */
  readonly end: number;
}

/** The period that a moment (Unix ms) falls in. */
export function billPeriodOf(at: number): BillPeriod {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}

/** The day of a moment (Unix ms), as `YYYY-MM-DD`. */
export const usageDayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
