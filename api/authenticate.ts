import type { RequestHandler } from 'express';
import { ServiceError } from '../contracts/errors.ts';
import { isApiKey } from '../store/secrets.ts';
import { findCaller } from '../store/workspaces.ts';
import type { ApiContext } from './context.ts';

/** Finds the workspace of the API key (REST 5) and leaves it in `response.locals.caller`. */
export const authenticate =
  ({ store, config }: ApiContext): RequestHandler =>
  async (request, response, next) => {
    const [, key] = /^Bearer ([^\s]+)$/i.exec(request.get('Authorization') ?? '') ?? [];
    const caller =
      key && isApiKey(key) ? await findCaller(store.sql, config.plans, key) : undefined;
    if (!caller) {
      response.set('WWW-Authenticate', 'Bearer');
      throw new ServiceError('unauthorized');
    }
    response.locals.caller = caller;
    next();
  };
