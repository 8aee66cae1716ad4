// Code 128 (ISO/IEC 15417): printable ASCII in code set B, runs of digits in pairs in code set C.

/** Widths in modules of bar, space, bar, space, bar, space for each value; the last is the stop with its final bar. */
const PATTERNS = `
  212222 222122 222221 121223 121322 131222 122213 122312 132212 221213
  221312 231212 112232 122132 122231 113222 123122 123221 223211 221132
  221231 213212 223112 312131 311222 321122 321221 312212 322112 322211
  212123 212321 232121 111323 131123 131321 112313 132113 132311 211313
  231113 231311 112133 112331 132131 113123 113321 133121 313121 211331
  231131 213113 213311 213131 311123 311321 331121 312113 312311 332111
  314111 221411 431111 111224 111422 121124 121421 141122 141221 112214
  112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
  111242 121142 121241 114212 124112 124211 411212 421112 421211 212141
  214121 412121 111143 111341 131141 114113 114311 411113 411311 113141
  114131 311141 411131 211412 211214 211232 2331112
`.trim().split(/\s+/);

const TO_C = 99;
const TO_B = 100;
const START_B = 104;
const START_C = 105;
const STOP = 106;

/** Pairs of digits pay for the change of code set from four digits at an end, from six in the middle. */
const DIGITS_AT_AN_END = 4;
const DIGITS_IN_THE_MIDDLE = 6;

/** Widths in modules, bar and space in turn, of start, text, checksum and stop. */
export function encodeCode128(text) {
  const values = valuesOf(text);
  const checksum = values.reduce((sum, value, position) => sum + value * Math.max(1, position), 0) % 103;
  return [...values, checksum, STOP].flatMap((value) => [...PATTERNS[value]].map(Number));
}

function valuesOf(text) {
  if (text === '') throw new Error('a barcode needs at least one character.');
  const foreign = text.match(/[^ -~]/u);
  if (foreign) throw new Error(`"${text}" holds "${foreign[0]}", a barcode only printable ASCII.`);

  const values = [];
  let set = null;
  const change = (to) => {
    if (set === to) return;
    if (set === null) values.push(to === 'C' ? START_C : START_B);
    else values.push(to === 'C' ? TO_C : TO_B);
    set = to;
  };
  let rest = text;
  while (rest !== '') {
    if (pairsPay(rest, rest === text)) {
      change('C');
      for (; /^\d\d/.test(rest); rest = rest.slice(2)) values.push(Number(rest.slice(0, 2)));
    } else {
      change('B');
      values.push(rest.charCodeAt(0) - 32);
      rest = rest.slice(1);
    }
  }
  return values;
}

/** Whether to write the digits ahead in pairs. In the middle an odd run gives its first digit to code set B. */
function pairsPay(rest, atStart) {
  const digits = rest.match(/^\d*/)[0].length;
  const atEnd = digits === rest.length;
  if (digits % 2 === 1 && !atStart) return false;
  return digits >= (atStart || atEnd ? DIGITS_AT_AN_END : DIGITS_IN_THE_MIDDLE);
}
