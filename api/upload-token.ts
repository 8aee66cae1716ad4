import type { RequestHandler } from 'express';
import { ServiceError } from '../contracts/errors.ts';
import { getUploadSession } from '../store/deploys/upload-sessions.ts';
import type { Caller } from '../store/workspaces/api-keys.ts';
import type { ApiContext } from './context.ts';

/**
 * Finds the upload session of the path, checks its token (REST 5.3) and puts the session into `response.locals.uploadSession`. Like
 * the API key, the token is checked before the body is read.
 */
export const authorizeUpload =
  ({ store: { sql, uploadTokens } }: ApiContext): RequestHandler =>
  async (request, response, next) => {
    const token = request.get('X-Upload-Token');
    if (!token) throw new ServiceError('upload_token_missing');
    const { workspaceId } = response.locals.caller as Caller;
    const id = String(request.params.uploadSessionId);
    const session = await getUploadSession(sql, workspaceId, id);
    if (!uploadTokens.isValid(id, token)) throw new ServiceError('upload_token_invalid');
    response.locals.uploadSession = session;
    next();
  };
