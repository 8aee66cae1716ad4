import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../contracts/errors.ts';

/** Bytes of the signature: enough that a cursor cannot be forged, few enough that it stays short. */
const signatureBytes = 12;

/**
 * Opaque, tamper-proof cursors (REST 4.6): the position after which the next page begins, signed together with the list that it
 * belongs to, so that a cursor of one list, or of another workspace, is no cursor of this one.
 */
export interface Cursors {
  encode(list: string, after: string): string;
  /** @throws ServiceError `invalid_cursor` */
  decode(list: string, cursor: string | undefined): string | undefined;
}

export function createCursors(secretKeys: readonly string[]): Cursors {
  const sign = (key: string, list: string, after: string) =>
    createHmac('sha256', key)
      .update(`cursor\n${list}\n${after}`)
      .digest()
      .subarray(0, signatureBytes);

  return {
    encode(list, after) {
      const signature = sign(secretKeys[0] ?? '', list, after);
      return Buffer.concat([signature, Buffer.from(after)]).toString('base64url');
    },
    decode(list, cursor) {
      if (cursor === undefined) return undefined;
      const decoded = Buffer.from(cursor, 'base64url');
      const signature = decoded.subarray(0, signatureBytes);
      const after = decoded.subarray(signatureBytes).toString();
      const genuine =
        decoded.toString('base64url') === cursor &&
        signature.length === signatureBytes &&
        secretKeys.some((key) => timingSafeEqual(signature, sign(key, list, after)));
      if (!genuine) throw new ServiceError('invalid_cursor');
      return after;
    },
  };
}

export interface Page<T> {
  readonly items: T[];
  readonly nextCursor?: string;
}

/** Cuts the `limit + 1` rows that a list query asked for to a page; the extra row only tells that there is more. */
export function toPage<Row, T>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => T,
  toCursor: (last: Row) => string,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(toItem),
    ...(rows.length > limit && last && { nextCursor: toCursor(last) }),
  };
}

/** Where a page ends in a list that is ordered by time, then by id: in the same millisecond there may be many. */
export const timePosition = {
  format: (at: number, id: string): string => `${at}/${id}`,
  parse: (position: string | undefined): { at: number; id: string } | undefined => {
    const [at, id] = position?.split('/') ?? [];
    return id === undefined ? undefined : { at: Number(at), id };
  },
} as const;
