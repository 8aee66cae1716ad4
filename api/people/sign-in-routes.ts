import { type RequestHandler, Router } from 'express';
import { assertStorableJson } from '../../contracts/json.ts';
import { identityProvider, signInPath } from '../../contracts/processes/web-addresses.ts';
import type { ApiContext } from '../context.ts';
import { notFound } from '../error-handler.ts';
import { parseSmallJson } from '../parse-json.ts';
import { requireSameOrigin } from './same-origin.ts';

/** What can be called below `signInPath`. better-auth has more, which would go round our rules for people: none of it is reached. */
const paths = {
  get: ['/one-time-link', `/callback/${identityProvider}`],
  post: [
    '/accept-invitation',
    '/sign-in/email',
    '/sign-in/social',
    '/sign-out',
    '/change-password',
  ],
} as const;

/** Everything below `signInPath`; only requests that are sound come to better-auth. */
export function createSignInRoutes(service: ApiContext): Router {
  // Paths are compared as better-auth does: in another spelling it would not count a try.
  const router = Router({ caseSensitive: true, strict: true });
  const steps = [
    requireSameOrigin(service),
    parseSmallJson,
    requireStorable,
    service.signIn.handle,
  ];
  for (const path of paths.get) router.get(`${signInPath}${path}`, steps);
  for (const path of paths.post) router.post(`${signInPath}${path}`, steps);
  router.use(signInPath, notFound);
  return router;
}

const requireStorable: RequestHandler = (request, _response, next) => {
  assertStorableJson(request.query);
  assertStorableJson(request.body);
  next();
};
