import { dayMs, hourMs, minuteMs, secondMs } from '../contracts/units.ts';

/** Numbers, sizes, money and times as text, in the language and the time zone of the browser. */

const numbers = new Intl.NumberFormat();
export const formatNumber = (value: number): string => numbers.format(value);

const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Uses units of 1,024 bytes, as plans do: `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10);
  const unit = Math.min(power, binaryUnits.length - 1);
  const value = bytes / 1024 ** unit;
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  const text = new Intl.NumberFormat(undefined, { maximumFractionDigits: digits }).format(value);
  return `${text} ${binaryUnits[unit]}`;
}

/** The name and the length in ms of each unit, from the largest to the smallest. */
const timeUnits = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
  ['second', secondMs],
] as const;

const formatUnit = (value: number, unit: string, maximumFractionDigits = 0): string =>
  new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit,
    unitDisplay: 'narrow',
    maximumFractionDigits,
  }).format(value);

/** A short form for tables: `340ms`, `4.2s`, `3m 5s`, `12h 40m`. */
export function formatDuration(ms: number): string {
  if (ms < secondMs) return formatUnit(Math.round(ms), 'millisecond');
  if (ms < minuteMs) return formatUnit(ms / secondMs, 'second', 1);
  const [big, bigUnit, small, smallUnit] =
    ms < hourMs
      ? ([minuteMs, 'minute', secondMs, 'second'] as const)
      : ([hourMs, 'hour', minuteMs, 'minute'] as const);
  const rest = Math.floor((ms % big) / small);
  const whole = formatUnit(Math.floor(ms / big), bigUnit);
  return rest === 0 ? whole : `${whole} ${formatUnit(rest, smallUnit)}`;
}

/** A long form for sentences, in the largest unit that gives at least 2: `15 seconds`, `24 hours`, `30 days`. */
export function formatSpan(ms: number): string {
  const [unit, unitMs] =
    timeUnits.find(([, size]) => ms >= 2 * size) ?? (['second', secondMs] as const);
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  }).format(ms / unitMs);
}

export const formatMoney = (cents: number, currency: string): string =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
  }).format(cents / 100);

const dateTimeFormat = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
});
const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const utcDayFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** The date and the time to the second. `at` is Unix ms. */
export const formatDateTime = (at: number): string => dateTimeFormat.format(at);
export const formatDate = (at: number): string => dateFormat.format(at);
/** `day` is a day in UTC as the usage report writes it, such as `2026-11-20`. The text has no year. */
export const formatUsageDay = (day: string): string => utcDayFormat.format(Date.parse(day));

const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'narrow' });

/** A time relative to `now` (Unix ms), such as `3m ago` or `in 2h`. */
export function formatRelative(at: number, now: number): string {
  const distance = at - now;
  const [unit, unitMs] =
    timeUnits.find(([, ms]) => Math.abs(distance) >= ms) ?? (['second', secondMs] as const);
  return relativeFormat.format(Math.trunc(distance / unitMs), unit);
}
