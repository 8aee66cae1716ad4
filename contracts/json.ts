import canonicalize from 'canonicalize';
import { ServiceError } from './errors.ts';
import { maxJsonDepth, maxJsonValues } from './limits.ts';

/**
 * Refuses JSON values that cannot be stored, hashed and given back as they came: nested deeper than 64, with NUL or a lone
 * surrogate in a string or key, or with a number outside the range of a double. Walks without recursion, because depth is
 * what it guards against.
 */
export function assertStorableJson(root: unknown): void {
  const pending: { value: object; depth: number }[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (typeof value === 'string') assertStorableText(value);
    else if (typeof value === 'number') assertFinite(value);
    else if (typeof value === 'object' && value !== null) {
      if (depth > maxJsonDepth) throw new ServiceError('invalid_request', tooDeepMessage);
      pending.push({ value, depth });
    }
  };
  visit(root, 1);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next;
    // An array has no keys to check, and may have millions of elements.
    if (!Array.isArray(value)) Object.keys(value).forEach(assertStorableText);
    for (const child of Object.values(value)) visit(child, depth + 1);
  }
}

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

/** RFC 8785: the one form in which a JSON value is hashed, stored and given to a page (REST 4.3). */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined)
    throw new ServiceError('invalid_request', 'The value is not JSON: send JSON.');
  return text;
}
