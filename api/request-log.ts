import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';

/** Pattern of request ids that a client may choose, so that both sides can find a request by the same id. */
const requestIdPattern = /^[\w.-]{1,64}$/;

/** Gives each request an id, which the answer contains, and logs one line at the end of the answer. */
export const logRequests =
  (log: Logger): RequestHandler =>
  (request, response, next) => {
    const clientId = request.get('X-Request-Id');
    const requestId = clientId && requestIdPattern.test(clientId) ? clientId : randomUUID();
    const startedAt = performance.now();
    response.locals.requestId = requestId;
    response.set('X-Request-Id', requestId);
    response.on('close', () => {
      log.info(
        {
          requestId,
          workspaceId: response.locals.caller?.workspaceId,
          method: request.method,
          // The pattern of the path, because an unknown path may contain anything, also a token.
          route: request.route?.path ?? response.locals.procedures,
          status: response.statusCode,
          ms: Math.round(performance.now() - startedAt),
          ...(!response.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    next();
  };

export const requestIdOf = (response: Response): string => String(response.locals.requestId);
