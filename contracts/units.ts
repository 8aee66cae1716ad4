/** Units for durations and sizes, such as `10 * minuteMs` and `4 * GiB`. */

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
/** All days in UTC have this length. */
export const dayMs = 24 * hourMs;

export const KiB = 1024;
export const MiB = 1024 * KiB;
export const GiB = 1024 * MiB;
