import { createExpressMiddleware } from '@trpc/server/adapters/express';
import type { ErrorRequestHandler, Express, Request, Response } from 'express';
import { adminPath, dashboardPath } from '../../contracts/pages.ts';
import { isEqual } from '../../store/secrets.ts';
import type { ApiContext } from '../context.ts';
import { parseJson } from '../endpoint.ts';
import { toServiceError } from '../error-handler.ts';
import { requireSameOrigin } from '../people/same-origin.ts';
import { createSignInRoutes } from '../people/sign-in-routes.ts';
import { requestIdOf } from '../request-log.ts';
import { setSecurityHeaders } from '../security-headers.ts';
import type { Actor, AdminContext } from './context.ts';
import { maxBatchSize, toCatalogueError, toErrorShape } from './procedures.ts';
import { adminRouter } from './router.ts';

/** Mounts what people and internal tools use: sign-in and the admin router. */
export function mountAdmin(app: Express, service: ApiContext): void {
  const { log } = service;
  app.use([dashboardPath, adminPath], setSecurityHeaders(service));
  app.use(createSignInRoutes(service));
  app.use(
    adminPath,
    requireSameOrigin(service),
    parseJson,
    createExpressMiddleware({
      router: adminRouter,
      maxBatchSize,
      responseMeta: () => ({ headers: new Headers({ 'Cache-Control': 'no-store' }) }),
      createContext: async ({ req, res, info }): Promise<AdminContext> => {
        // Known procedures only: an unknown path may hold anything, also a token.
        const known = info.calls.filter(({ procedure }) => procedure !== null);
        res.locals.procedures = known.map(({ path }) => path).join(',');
        return {
          service,
          actor: await findActor(service, req, res),
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
    answerInTrpc,
  );
}

/** What is refused before a procedure is called, a body that is no JSON, say, is told in the form that tRPC's clients read. */
const answerInTrpc: ErrorRequestHandler = (thrown, request, response, next) => {
  const error = toServiceError(thrown);
  if (error.status >= 500 || response.headersSent) next(thrown);
  else response.status(error.status).json({ error: toErrorShape(error) });
  request.resume();
};

/** Whoever sends the admin token or the cookie of a session. A token that is not ours is nobody's, whatever the cookie. */
async function findActor(
  service: ApiContext,
  request: Request,
  response: Response,
): Promise<Actor | undefined> {
  const authorization = request.get('Authorization');
  if (authorization !== undefined) {
    const [, token] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
    const { adminToken } = service.config;
    const isAdmin = token !== undefined && adminToken !== undefined && isEqual(adminToken, token);
    return isAdmin ? { kind: 'admin-token' } : undefined;
  }
  const person = await service.signIn.findPerson(request, response);
  if (!person) return undefined;
  const { id, email, operator } = person;
  return { kind: 'person', id, email, operator };
}
