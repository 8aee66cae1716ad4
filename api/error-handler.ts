import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { type HttpErrorCode, ServiceError } from '../contracts/errors.ts';
import { tooDeepMessage, tooManyValuesMessage } from '../contracts/json.ts';
import { BlobStorageUnavailable } from '../store/blobs/blob-errors.ts';
import { databaseUnavailable, isDatabaseUnavailable } from '../store/database/errors.ts';
import { requestIdOf } from './request-log.ts';

/** Code and sentence of errors of Express's body parser and of `parse-json.ts`, by their `type`. `toServiceError` has one sentence for the rest. */
const parserErrors = {
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
} as const satisfies Readonly<Record<string, readonly [HttpErrorCode, string?]>>;
export type ParserErrorType = keyof typeof parserErrors;

/** Answers a request to an address at which nothing is mounted (REST 7). */
export const notFound: RequestHandler = () => {
  throw new ServiceError('not_found');
};

/** The body of an error (REST 7). */
const toBody = ({ code, message }: ServiceError): object => ({ error: code, message });

/**
 * Creates the one handler that turns errors into answers: the status of the code and its public sentence, never the cause.
 *
 * @param write makes the body of the answer. The default is the body of REST; the admin router has another one.
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
    // Reads and drops the rest of the body. Otherwise the next request on this connection would wait behind it.
    request.resume();
  };

/** True if the client closed the connection in the middle of its request: there is nobody to answer, and nothing has failed. */
const isAbandoned = (request: IncomingMessage): boolean => request.destroyed && !request.complete;

/** Converts any error, whether ours or of PostgreSQL, the blob storage or Express, to one of our errors. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  // Checked before the database: `isDatabaseUnavailable` looks only at the code of a connection, and errors of the storage have it too.
  if (error instanceof BlobStorageUnavailable)
    return new ServiceError('storage_unavailable', undefined, {
      cause: error,
    });
  if (isDatabaseUnavailable(error)) return databaseUnavailable(error);
  if (error instanceof URIError)
    return new ServiceError(
      'invalid_request',
      'The path is not valid percent-encoding: encode its parts as UTF-8, `%` itself as %25.',
      { cause: error },
    );
  const { type = '', status = 500 } = error as { type?: string; status?: number };
  if (isParserErrorType(type)) {
    const [code, message]: readonly [HttpErrorCode, string?] = parserErrors[type];
    return new ServiceError(code, message, { cause: error });
  }
  // Other errors of the body parser, such as a stream that does not decompress or a connection that was closed.
  const isRequestError = error instanceof Error && status >= 400 && status < 500;
  return isRequestError
    ? new ServiceError('invalid_request', 'The body cannot be read: send it again, complete.', {
        cause: error,
      })
    : new ServiceError('internal_error', undefined, { cause: error });
}

const isParserErrorType = (type: string): type is ParserErrorType =>
  Object.hasOwn(parserErrors, type);
