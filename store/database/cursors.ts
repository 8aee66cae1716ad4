import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../contracts/errors.ts';
import { clausesFor } from './clauses.ts';
import type { Queryable } from './connection.ts';

/** The signature is long enough that nobody can forge a cursor, and short enough that cursors stay short. */
const signatureBytes = 12;

/**
 * Opaque, tamper-proof cursors (REST 4.6). A cursor holds the position after which the next page starts. It is signed together
 * with the name of its list, so that it is not valid for another list or another workspace.
 */
export interface Cursors {
  encode(list: string, after: string): string;
  /** Returns the position in a cursor; undefined if there is no cursor. @throws ServiceError `invalid_cursor` */
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
      const isGenuine =
        decoded.toString('base64url') === cursor &&
        signature.length === signatureBytes &&
        secretKeys.some((key) => timingSafeEqual(signature, sign(key, list, after)));
      if (!isGenuine) throw new ServiceError('invalid_cursor');
      return after;
    },
  };
}

export interface Page<T> {
  readonly items: T[];
  readonly nextCursor?: string;
}

/** A request for the page after the cursor, or for the first page if there is no cursor. */
export interface PageRequest {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * Where a statement starts and how many rows it reads: up to `limit` rows after `after`, or the first rows if that is
 * undefined.
 */
export interface Position {
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * Reads a page of a list (REST 4.6). It reads one row more than the page has, to know whether there is a next page.
 *
 * @param list the name of the list with all its filters: a cursor is valid for this list only
 * @throws ServiceError `invalid_cursor`
 */
export async function readPage<Row, T>(
  cursors: Cursors,
  list: string,
  { cursor, limit }: PageRequest,
  source: {
    readonly read: (position: Position) => PromiseLike<readonly Row[]>;
    readonly toItem: (row: Row) => T;
    /** At most 700 bytes of UTF-8, because a cursor has at most 1,024 characters. */
    readonly toPosition: (last: Row) => string;
  },
): Promise<Page<T>> {
  const after = cursors.decode(list, cursor);
  const rows = await source.read({ after, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(source.toItem),
    ...(rows.length > limit &&
      last && { nextCursor: cursors.encode(list, source.toPosition(last)) }),
  };
}

/**
 * The end of a statement that lists rows after a position, newest first. It may begin with `and`, so the statement needs a
 * `where` before it. Ids grow with time.
 */
export const newestFirst = (
  sql: Queryable,
  id: ReturnType<Queryable>,
  { after, limit }: Position,
) => sql`
  ${clausesFor(sql)(after, (last) => sql`and ${id} < ${last}`)} order by ${id} desc limit ${limit}`;

/** The position in a list that is ordered by time and then by id, because many rows may have the same millisecond. */
export const timePosition = {
  format: (at: number, id: string): string => `${at}/${id}`,
  parse: (position: string | undefined): { at: number; id: string } | undefined => {
    const [at, id] = position?.split('/') ?? [];
    return id === undefined ? undefined : { at: Number(at), id };
  },
} as const;
