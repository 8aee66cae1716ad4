import type { Request, RequestHandler } from 'express';
import { ServiceError } from '../../contracts/errors.ts';
import type { ApiContext } from '../context.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Protects against cross-site request forgery. A request that may change something must come from our own origin: browsers send the
 * origin in `Origin` (or `Sec-Fetch-Site`). Its body must be JSON, which a form of another site cannot send. Other programs than
 * browsers send neither header, and no cookies of a victim.
 */
export const requireSameOrigin =
  ({ publicUrl }: Pick<ApiContext, 'publicUrl'>): RequestHandler =>
  (request, _response, next) => {
    if (!safeMethods.has(request.method)) {
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

/**
 * False if a browser says that the request comes from an origin that is neither the public address nor the address to which it was
 * sent. True if both headers are missing: then no page of another site sent it.
 */
function isSameOrigin(request: Request, publicUrl: string): boolean {
  const origin = request.get('Origin');
  if (origin !== undefined)
    return [publicUrl, `${request.protocol}://${request.host}`]
      .map(originOf)
      .includes(originOf(origin) ?? '');
  const site = request.get('Sec-Fetch-Site');
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** Normalizes an origin. Undefined for text that is not an address, such as `null`. */
const originOf = (text: string): string | undefined => URL.parse(text)?.origin;
