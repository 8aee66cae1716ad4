import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../contracts/errors.ts';

/** Bytes of the signature: enough that a cursor cannot be forged, few enough that it stays short. */
const signatureBytes = 12;

/**
 * Opaque, tamper-proof cursors (REST 4.6): the id after which the next page begins, signed together with the list that it
 * belongs to, so that a cursor of one list, or of another workspace, is no cursor of this one.
 */
export interface Cursors {
  encode(list: string, afterId: string): string;
  /** @throws ServiceError `invalid_cursor` */
  decode(list: string, cursor: string | undefined): string | undefined;
}

export function createCursors(secretKeys: readonly string[]): Cursors {
  const sign = (key: string, list: string, afterId: string) =>
    createHmac('sha256', key)
      .update(`cursor\n${list}\n${afterId}`)
      .digest()
      .subarray(0, signatureBytes);

  return {
    encode(list, afterId) {
      const signature = sign(secretKeys[0] ?? '', list, afterId);
      return Buffer.concat([signature, Buffer.from(afterId)]).toString('base64url');
    },
    decode(list, cursor) {
      if (cursor === undefined) return undefined;
      const decoded = Buffer.from(cursor, 'base64url');
      const signature = decoded.subarray(0, signatureBytes);
      const afterId = decoded.subarray(signatureBytes).toString();
      const genuine =
        decoded.toString('base64url') === cursor &&
        signature.length === signatureBytes &&
        secretKeys.some((key) => timingSafeEqual(signature, sign(key, list, afterId)));
      if (!genuine) throw new ServiceError('invalid_cursor');
      return afterId;
    },
  };
}

export interface Page<T> {
  readonly items: T[];
  readonly nextCursor?: string;
}

/** Cuts the `limit + 1` rows that a list query asked for to a page; the extra row only tells that there is more. */
export function toPage<Row extends { id: string }, T>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => T,
  encode: (afterId: string) => string,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(toItem),
    ...(rows.length > limit && last && { nextCursor: encode(last.id) }),
  };
}
