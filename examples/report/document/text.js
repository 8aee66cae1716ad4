// Numbers and dates as this report writes them.

const LOCALE = 'en-GB';

/** With a real minus sign, which is as wide as a digit. */
export function decimal(value, decimals = 0) {
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(LOCALE, options).format(value).replace('-', '−');
}

export function signed(value, decimals = 0) {
  return value > 0 ? `+${decimal(value, decimals)}` : decimal(value, decimals);
}

/** A key figure with its unit, which must not part from it at the end of a line. */
export function formatFigure({ value, unit, decimals }) {
  return `${decimal(value, decimals)}\u00a0${unit}`;
}

export function longDate(day) {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
}

export const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat(LOCALE, { month: 'short', timeZone: 'UTC' }).format(Date.UTC(2025, month)).slice(0, 3),
);
