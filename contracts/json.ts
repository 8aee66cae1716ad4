import { ServiceError } from './errors.ts';
import { maxJsonDepth, maxJsonValues } from './limits.ts';

/**
 * Refuses JSON values that cannot be stored, hashed and given back as they came: nested deeper than 64, with NUL or a lone
 * surrogate in a string or key, or with a number outside the range of a double. Walks without recursion, because depth is
 * what it guards against.
 *
 * @param anyTextIn below keys of this name text is not looked at: payloads are stored as bytes, which hold any
 */
export function assertStorableJson(
  root: unknown,
  { anyTextIn }: { readonly anyTextIn?: string | undefined } = {},
): void {
  const pending: { value: object; depth: number; anyText: boolean }[] = [];
  const visit = (value: unknown, depth: number, anyText: boolean): void => {
    if (typeof value === 'string' && !anyText) assertStorableText(value);
    else if (typeof value === 'number') assertFinite(value);
    else if (typeof value === 'object' && value !== null) {
      if (depth > maxJsonDepth) throw new ServiceError('invalid_request', tooDeepMessage);
      pending.push({ value, depth, anyText });
    }
  };
  visit(root, 1, false);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth, anyText } = next;
    // An array has no keys to check, and may have millions of elements.
    if (Array.isArray(value)) for (const child of value) visit(child, depth + 1, anyText);
    else
      for (const [key, child] of Object.entries(value)) {
        if (!anyText) assertStorableText(key);
        visit(child, depth + 1, anyText || key === anyTextIn);
      }
  }
}

/** Refuses what no payload may be: it is stored as bytes, so any text is its own business. */
export const assertPayload = (payload: unknown): void =>
  assertStorableJson({ payload }, { anyTextIn: 'payload' });

export const tooDeepMessage = `JSON may be nested at most ${maxJsonDepth} levels deep: flatten it.`;
export const tooManyValuesMessage = `JSON may hold at most ${maxJsonValues} values: send fewer, or a payload of another type.`;

/**
 * What is too much in the UTF-8 text of JSON, told before it is parsed: a parser is at 16 MiB of brackets for 5 s, this
 * reads them in 0.1 s at most.
 */
export function findExcess(text: Uint8Array): 'depth' | 'values' | undefined {
  const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (inString) {
      if (byte === backslash) at++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > maxJsonDepth) return 'depth';
      if (++values > maxJsonValues) return 'values';
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === comma && ++values > maxJsonValues) return 'values';
  }
  return undefined;
}

/** Text that PostgreSQL and UTF-8 can hold: no NUL, no lone surrogate. */
const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

function assertStorableText(text: string): void {
  if (!isStorableText(text))
    throw new ServiceError(
      'invalid_request',
      'Text may hold neither NUL (\\u0000) nor a lone surrogate: remove it.',
    );
}

function assertFinite(value: number): void {
  if (!Number.isFinite(value))
    throw new ServiceError(
      'invalid_request',
      'A number is outside the range of a double: send it as a string.',
    );
}

/**
 * The one form in which a JSON value is hashed, stored and given to a page (REST 4.3): that of RFC 8785. It has none for a lone
 * surrogate; here that is an escape, as JSON.stringify writes it, so that the text is UTF-8 and reads as the same value.
 *
 * @param value nested as deep as `assertStorableJson` allows
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) return canonicalObject(value);
  const text = JSON.stringify(value);
  if (text === undefined)
    throw new ServiceError('invalid_request', 'The value is not JSON: send JSON.');
  return text;
}

/** Keys in the order of their UTF-16 code units, which is that of `sort`; a field that is undefined is absent. */
function canonicalObject(value: object): string {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
