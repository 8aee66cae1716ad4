import { ServiceError } from './errors.ts';
import { maxJsonDepth, maxJsonValues } from './limits.ts';

/**
 * Throws for JSON values that cannot be stored, hashed and returned unchanged: nested deeper than 64 levels, with NUL or a lone
 * surrogate in a string or key, or with a number outside the range of a double. It does not recurse, because deep input could
 * overflow the stack.
 *
 * @param anyTextIn name of the keys below which text is not checked: payloads are stored as bytes, which can hold any text
 * @throws ServiceError `invalid_request`
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
    // No `Object.entries`: an array has no keys to check and may have millions of elements.
    if (Array.isArray(value)) for (const child of value) visit(child, depth + 1, anyText);
    else
      for (const [key, child] of Object.entries(value)) {
        if (!anyText) assertStorableText(key);
        visit(child, depth + 1, anyText || key === anyTextIn);
      }
  }
}

/** Throws for a payload that is too deep or has a number outside the range of a double. Any text is allowed: it is stored as bytes. */
export const assertPayload = (payload: unknown): void =>
  assertStorableJson({ payload }, { anyTextIn: 'payload' });

export const tooDeepMessage = `JSON may be nested at most ${maxJsonDepth} levels deep: flatten it.`;
export const tooManyValuesMessage = `JSON may have at most ${maxJsonValues} values: send fewer, or a payload of another type.`;

/**
 * Finds out before parsing if a JSON text has too many levels or values. A parser needs 5 s for 16 MiB of brackets, this
 * function at most 0.1 s.
 *
 * @param text UTF-8
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

/** True for text that PostgreSQL and UTF-8 can hold: without NUL and lone surrogates. */
const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

function assertStorableText(text: string): void {
  if (!isStorableText(text))
    throw new ServiceError(
      'invalid_request',
      'Text must not contain NUL (\\u0000) or a lone surrogate: remove it.',
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
 * Writes a JSON value in the one form in which it is hashed, stored and passed to a page (REST 4.3): that of RFC 8785. RFC 8785
 * has no form for a lone surrogate. It is written as an escape, like JSON.stringify does: the text is valid UTF-8 and parses to
 * the same value.
 *
 * @param value nested no deeper than `assertStorableJson` allows
 * @throws ServiceError `invalid_request` for a value that is not JSON
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) return canonicalObject(value);
  const text = JSON.stringify(value);
  if (text === undefined)
    throw new ServiceError('invalid_request', 'The value is not JSON: send JSON.');
  return text;
}

/** Sorts keys by UTF-16 code units, like `<` does, and leaves out undefined fields. */
function canonicalObject(value: object): string {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
