/** Units in which bounds are written: `10 * minuteMs`, `4 * GiB`. */

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
/** UTC has no day of another length. */
export const dayMs = 24 * hourMs;

export const KiB = 1024;
export const MiB = 1024 * KiB;
export const GiB = 1024 * MiB;
