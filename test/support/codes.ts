import { type ErrorCode, errors, jobErrorCodes } from '../../contracts/errors.ts';
import { errorsOf, type Route } from '../../contracts/rest/route.ts';
import { routes } from '../../contracts/rest/routes.ts';

/** Codes by whom they are answered: each has a suite that holds that all of them occur. */

/** What the routes of the contract declare, what a path that is none of them answers, and what ends jobs. */
const restCodes: ReadonlySet<ErrorCode> = new Set([
  ...Object.values<Route>(routes).flatMap(errorsOf),
  ...jobErrorCodes,
  'not_found' as const,
]);

const all = Object.keys(errors) as ErrorCode[];

export const codesOfRest: readonly ErrorCode[] = all.filter((code) => restCodes.has(code));
/** The rest: only the admin router answers them. */
export const codesOfAdmin: readonly ErrorCode[] = all.filter((code) => !restCodes.has(code));
