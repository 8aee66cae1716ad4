import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { type HttpErrorCode, ServiceError } from '../contracts/errors.ts';
import { tooDeepMessage, tooManyValuesMessage } from '../contracts/json.ts';
import { BlobStorageUnavailable } from '../store/blobs/blob-errors.ts';
import { databaseUnavailable, isDatabaseUnavailable } from '../store/database/errors.ts';
import { requestIdOf } from './request-log.ts';

/** What Express's body parser calls its errors, in our words. */
const parserErrors: Readonly<Record<string, readonly [HttpErrorCode, string?]>> = {
  'entity.parse.failed': ['invalid_request', 'The body is not JSON: correct it.'],
  'entity.too.large': ['payload_too_large'],
  'json.excess.depth': ['invalid_request', tooDeepMessage],
  'json.excess.values': ['invalid_request', tooManyValuesMessage],
  'encoding.unsupported': [
    'invalid_request',
    'The Content-Encoding is not supported: send the body as it is, or by gzip.',
  ],
  'charset.unsupported': ['invalid_request', 'The body is not in UTF-8: encode JSON in that.'],
  'request.size.invalid': [
    'invalid_request',
    'The body is not as long as its Content-Length: send both again, so that they agree.',
  ],
};

/** Nothing is mounted where the request went (REST 7). */
export const notFound: RequestHandler = () => {
  throw new ServiceError('not_found');
};

/** The body of an error (REST 7). */
const toBody = ({ code, message }: ServiceError): object => ({ error: code, message });

/**
 * The one place where an error becomes an answer: its code's status, its public sentence, never its cause.
 *
 * @param write the body, where clients read another one than that of REST
 */
export const handleErrors =
  (log: Logger, write = toBody): ErrorRequestHandler =>
  (thrown, request, response, _next) => {
    if (isAbandoned(request)) {
      response.destroy();
      return;
    }
    const error = toServiceError(thrown);
    if (error.status >= 500)
      log.error(
        { err: thrown, requestId: requestIdOf(response), code: error.code },
        'request failed',
      );
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error.retryAfterSeconds !== undefined)
      response.set('Retry-After', String(error.retryAfterSeconds));
    response.status(error.status).json(write(error));
    // What the client still sends of its body is read and dropped, or the connection's next request would wait behind it.
    request.resume();
  };

/** The client went away in the middle of its request: nobody is there to answer, and nothing has failed. */
const isAbandoned = (request: IncomingMessage): boolean => request.destroyed && !request.complete;

/** What an error is in the catalogue: ours, or that of what we depend on. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  // First, because the database's look only at the code of a connection, which the storage's errors have as well.
  if (error instanceof BlobStorageUnavailable)
    return new ServiceError('storage_unavailable', undefined, {
      cause: error,
    });
  if (isDatabaseUnavailable(error)) return databaseUnavailable(error);
  if (error instanceof URIError)
    return new ServiceError(
      'invalid_request',
      'The path is not valid percent-encoding: encode its parts as UTF-8, `%` itself as %25.',
      {
        cause: error,
      },
    );
  const { type = '', status = 500 } = error as { type?: string; status?: number };
  const known = parserErrors[type];
  if (known) return new ServiceError(known[0], known[1], { cause: error });
  // What else the body parser throws: a stream that does not unpack, a client that went away.
  const isRequests = error instanceof Error && status >= 400 && status < 500;
  return isRequests
    ? new ServiceError('invalid_request', 'The body cannot be read: send it again, complete.', {
        cause: error,
      })
    : new ServiceError('internal_error', undefined, { cause: error });
}
