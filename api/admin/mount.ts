import { createExpressMiddleware } from '@trpc/server/adapters/express';
import type { Express, Request, RequestHandler, Response } from 'express';
import { maxCallsPerRequest } from '../../contracts/limits.ts';
import { adminPath, dashboardPath } from '../../contracts/processes/web-addresses.ts';
import { isSameSecret } from '../../store/secrets/hashes.ts';
import type { ApiContext } from '../context.ts';
import { handleErrors } from '../error-handler.ts';
import { parseJson, parseSmallJson } from '../parse-json.ts';
import { requireSameOrigin } from '../people/same-origin.ts';
import { createSignInRoutes } from '../people/sign-in-routes.ts';
import { requestIdOf } from '../request-log.ts';
import { setSecurityHeaders } from '../security-headers.ts';
import type { Actor, AdminContext } from './context.ts';
import { toCatalogueError, toErrorShape } from './procedures.ts';
import { adminRouter } from './router.ts';

/** Mounts sign-in and the admin router, which people and internal tools use. */
export function mountAdmin(app: Express, service: ApiContext): void {
  const { log } = service;
  app.use([dashboardPath, adminPath], setSecurityHeaders(service));
  app.use(createSignInRoutes(service));
  app.use(
    adminPath,
    requireSameOrigin(service),
    identify(service),
    parseBody,
    createExpressMiddleware({
      router: adminRouter,
      maxBatchSize: maxCallsPerRequest,
      responseMeta: () => ({ headers: new Headers({ 'Cache-Control': 'no-store' }) }),
      createContext: async ({ res, info }): Promise<AdminContext> => {
        // Only known procedures are logged: an unknown path may contain anything, also a token.
        const known = info.calls.filter(({ procedure }) => procedure !== null);
        res.locals.procedures = known.map(({ path }) => path).join(',');
        return {
          service,
          actor: res.locals.actor as Actor | undefined,
          requestId: requestIdOf(res),
          now: Date.now(),
        };
      },
      onError: ({ error, path, ctx }) => {
        const { code, status } = toCatalogueError(error);
        if (status >= 500)
          log.error({ err: error, requestId: ctx?.requestId, path, code }, 'procedure failed');
      },
    }),
    // Errors before a procedure is called, such as a body that is not JSON, have the form that clients of tRPC read.
    handleErrors(log, (error) => ({ error: toErrorShape(error) })),
  );
}

/** Puts the actor, if any, into `response.locals.actor`. */
const identify =
  (service: ApiContext): RequestHandler =>
  async (request, response, next) => {
    response.locals.actor = await findActor(service, request, response);
    next();
  };

/** Parses the body. Callers who have not signed in may send only a small one. */
const parseBody: RequestHandler = (request, response, next) =>
  (response.locals.actor ? parseJson : parseSmallJson)(request, response, next);

/** Finds the actor of the admin token or of the session cookie. With a wrong token there is no actor, even if there is a cookie. */
async function findActor(
  service: ApiContext,
  request: Request,
  response: Response,
): Promise<Actor | undefined> {
  const authorization = request.get('Authorization');
  if (authorization !== undefined) {
    const [, token] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
    const { adminToken } = service.config;
    const isAdmin =
      token !== undefined && adminToken !== undefined && isSameSecret(adminToken, token);
    return isAdmin ? { kind: 'admin-token' } : undefined;
  }
  const person = await service.signIn.findPerson(request, response);
  if (!person) return undefined;
  const { id, email, operator } = person;
  return { kind: 'person', id, email, operator };
}
