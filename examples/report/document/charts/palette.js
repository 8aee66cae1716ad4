export const INK = '#16232f';
export const QUIET = '#66727d';
export const HAIRLINE = '#d5dade';
export const ACCENT = '#b4472b';
export const SEA = '#1f6a78';

/** Of the sources of heat, from the first that is called on to the last. */
export const SOURCES = ['#123f52', '#3f8b96', '#d8b16c', '#a9b4ba', '#b4472b'];

/** From the least demand to the most. */
export const RAMP = ['#f5efe2', '#eccf9d', '#dd9a5f', '#b4472b', '#5e1d22'];
