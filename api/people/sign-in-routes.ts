import { type RequestHandler, Router } from 'express';
import { assertStorableJson } from '../../contracts/json.ts';
import { identityProvider, signInPath } from '../../contracts/processes/web-addresses.ts';
import type { ApiContext } from '../context.ts';
import { notFound } from '../error-handler.ts';
import { parseSmallJson } from '../parse-json.ts';
import { requireSameOrigin } from './same-origin.ts';

/** The only endpoints below `signInPath`. better-auth has others, which would bypass our rules for users: they are not mounted. */
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

/** Mounts everything below `signInPath`. Requests are checked before better-auth gets them. */
export function createSignInRoutes(service: ApiContext): Router {
  // Compares paths like better-auth does: its rate limit would not count a request with another spelling of the path.
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

/** Rejects text that PostgreSQL cannot store. */
const requireStorable: RequestHandler = (request, _response, next) => {
  assertStorableJson(request.query);
  assertStorableJson(request.body);
  next();
};
