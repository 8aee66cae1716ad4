import type { RequestHandler } from 'express';
import { ServiceError } from '../contracts/errors.ts';
import { hasApiKeyFormat } from '../store/secrets/api-key-format.ts';
import { findCaller, recordKeyUse } from '../store/workspaces/api-keys.ts';
import type { ApiContext } from './context.ts';

/** Finds the workspace of the API key (REST 5) and puts it into `response.locals.caller`. */
export const authenticate =
  ({ store, config, log }: ApiContext): RequestHandler =>
  async (request, response, next) => {
    const [, key] = /^Bearer ([^\s]+)$/i.exec(request.get('Authorization') ?? '') ?? [];
    const now = Date.now();
    const caller =
      key && hasApiKeyFormat(key) ? await findCaller(store.sql, config.plans, key, now) : undefined;
    if (!caller) {
      response.set('WWW-Authenticate', 'Bearer');
      throw new ServiceError('unauthorized');
    }
    response.locals.caller = caller;
    // Not awaited: the answer does not depend on it.
    if (caller.shouldRecordUse)
      recordKeyUse(store.sql, caller.keyId, now).catch((error: unknown) =>
        log.warn(
          { err: error, keyId: caller.keyId },
          'the use of an API key could not be recorded',
        ),
      );
    next();
  };
