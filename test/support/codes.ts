import { type ErrorCode, errors, jobErrorCodes } from '../../contracts/errors.ts';
import { errorsOf, type Route } from '../../contracts/rest/route.ts';
import { routes } from '../../contracts/rest/routes.ts';

/** Which error codes which API answers. For each API a suite checks that all its codes occur. */

/** The codes that routes declare, the code of a path without a route, and the codes of failed jobs. */
const restCodes: ReadonlySet<ErrorCode> = new Set([
  ...Object.values<Route>(routes).flatMap(errorsOf),
  ...jobErrorCodes,
  'not_found' as const,
]);

const all = Object.keys(errors) as ErrorCode[];

export const codesOfRest: readonly ErrorCode[] = all.filter((code) => restCodes.has(code));
/** Codes that only the admin router answers. */
export const codesOfAdmin: readonly ErrorCode[] = all.filter((code) => !restCodes.has(code));
