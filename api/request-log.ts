import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';

/** A client may name its request, so that both sides find it by one id. */
const acceptableId = /^[\w.-]{1,64}$/;

/** Gives every request an id, answers with it, and writes one line when the answer is out. */
export const logRequests =
  (log: Logger): RequestHandler =>
  (request, response, next) => {
    const given = request.get('X-Request-Id');
    const requestId = given && acceptableId.test(given) ? given : randomUUID();
    const startedAt = performance.now();
    response.locals.requestId = requestId;
    response.set('X-Request-Id', requestId);
    response.on('close', () => {
      log.info(
        {
          requestId,
          workspaceId: response.locals.caller?.workspaceId,
          method: request.method,
          // The pattern, not the path: an unknown path may hold anything, also a token.
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
