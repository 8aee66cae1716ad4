import { json, type RequestHandler } from 'express';
import { findExcess } from '../contracts/json.ts';
import { maxJsonBodyBytes } from '../contracts/limits.ts';
import type { ParserErrorType } from './error-handler.ts';

/** @param limit bytes of the uncompressed body */
const createJsonParser = (limit: number): RequestHandler =>
  json({
    limit,
    strict: false,
    type: 'application/json',
    verify: (_request, _response, body, charset) => {
      // `findExcess` reads bytes: in UTF-16 the byte of a quote may be half of another character.
      if (charset !== 'utf-8') throw parserError('charset.unsupported');
      const excess = findExcess(body);
      if (excess) throw parserError(`json.excess.${excess}`);
    },
  });

/** An error like those of Express's body parser; the error handler finds the answer by its `type`. */
const parserError = (type: ParserErrorType): Error => Object.assign(new Error(type), { type });

/** Parses bodies of callers who have sent a valid key or have signed in. */
export const parseJson = createJsonParser(maxJsonBodyBytes);

/** For callers who have not signed in: tokens, names and passwords are a few hundred bytes. */
const maxSmallBodyBytes = 64 * 1_024;
export const parseSmallJson = createJsonParser(maxSmallBodyBytes);
