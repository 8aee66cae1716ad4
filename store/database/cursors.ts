import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../contracts/errors.ts';
import { clausesFor } from './clauses.ts';
import type { Queryable } from './connection.ts';

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

/** Which page of a list: the one after the cursor, else the first. */
export interface PageRequest {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** What a statement reads: so many rows behind the position. */
export interface Position {
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * Reads a page of a list (REST 4.6). One more row than the page has is asked for; it only tells that there is more.
 *
 * @param list names the list and all that narrows it: a cursor is good for that list alone
 * @throws ServiceError `invalid_cursor`
 */
export async function readPage<Row, T>(
  cursors: Cursors,
  list: string,
  { cursor, limit }: PageRequest,
  how: {
    readonly read: (position: Position) => PromiseLike<readonly Row[]>;
    readonly toItem: (row: Row) => T;
    readonly toPosition: (last: Row) => string;
  },
): Promise<Page<T>> {
  const after = cursors.decode(list, cursor);
  const rows = await how.read({ after, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(how.toItem),
    ...(rows.length > limit && last && { nextCursor: cursors.encode(list, how.toPosition(last)) }),
  };
}

/** The end of a statement that lists the newest first, behind a position: ids grow with time. */
export const newestFirst = (
  sql: Queryable,
  id: ReturnType<Queryable>,
  { after, limit }: Position,
) => sql`
  ${clausesFor(sql)(after, (last) => sql`and ${id} < ${last}`)} order by ${id} desc limit ${limit}`;

/** Where a page ends in a list that is ordered by time, then by id: in the same millisecond there may be many. */
export const timePosition = {
  format: (at: number, id: string): string => `${at}/${id}`,
  parse: (position: string | undefined): { at: number; id: string } | undefined => {
    const [at, id] = position?.split('/') ?? [];
    return id === undefined ? undefined : { at: Number(at), id };
  },
} as const;
