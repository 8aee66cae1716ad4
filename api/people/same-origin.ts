import type { Request, RequestHandler } from 'express';
import { ServiceError } from '../../contracts/errors.ts';
import type { ApiContext } from '../context.ts';

const changesNothing = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses what another site has a browser send with its user's cookies: a request that may change something must come from a
 * page of ours, which browsers say in `Origin` (or `Sec-Fetch-Site`), and must be JSON, which no form of another site can send.
 * Programs that are no browsers send neither header, and no cookie that they were not given.
 */
export const requireSameOrigin =
  ({ publicUrl }: Pick<ApiContext, 'publicUrl'>): RequestHandler =>
  (request, _response, next) => {
    if (!changesNothing.has(request.method)) {
      if (!isSameOrigin(request, publicUrl()))
        throw new ServiceError('forbidden', 'Send this from a page of the service itself.');
      if (request.headers['content-type'] !== undefined && !request.is('application/json'))
        throw new ServiceError(
          'invalid_request',
          'Send the body with Content-Type: application/json.',
        );
    }
    next();
  };

/** Our origin is that of the public address, or the one that the request was sent to. */
function isSameOrigin(request: Request, publicUrl: string): boolean {
  const origin = request.get('Origin');
  if (origin !== undefined)
    return [publicUrl, `${request.protocol}://${request.host}`]
      .map(originOf)
      .includes(originOf(origin) ?? '');
  const site = request.get('Sec-Fetch-Site');
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** In one spelling; undefined for what is no address, such as `null`. */
const originOf = (text: string): string | undefined => URL.parse(text)?.origin;
