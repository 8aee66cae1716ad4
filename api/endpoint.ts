import type { IncomingMessage } from 'node:http';
import { json, type RequestHandler, type Router } from 'express';
import { z } from 'zod';
import { ServiceError } from '../contracts/errors.ts';
import { type PathParameter, pathParameters } from '../contracts/ids.ts';
import { assertStorableJson, findExcess } from '../contracts/json.ts';
import { maxIdempotencyKeyLength, maxJsonBodyBytes } from '../contracts/limits.ts';
import { type PathParametersOf, pathParametersOf, type Route } from '../contracts/rest/route.ts';
import type { UploadSessionState } from '../store/deploys/upload-sessions.ts';
import type { Caller } from '../store/workspaces/api-keys.ts';
import { authenticate } from './authenticate.ts';
import type { ApiContext } from './context.ts';
import { requestIdOf } from './request-log.ts';
import { authorizeUpload } from './upload-token.ts';

type InputOf<S> = S extends z.ZodType ? z.output<S> : undefined;
type AnswerOf<R extends Route> = R['success'] extends { schema: infer S extends z.ZodType }
  ? z.input<S>
  : undefined;

/** What a handler gets: who calls, and everything that the route declares, checked. */
export interface EndpointRequest<R extends Route> {
  readonly caller: Caller;
  readonly params: Readonly<Record<PathParametersOf<R['path']>, string>>;
  readonly query: InputOf<R['query']>;
  readonly body: R['body'] extends 'bytes' ? IncomingMessage : InputOf<R['body']>;
  /** Undefined where the client sent none. */
  readonly idempotencyKey: string | undefined;
  /** The session whose upload token was sent, on a route that needs one. */
  readonly uploadSession: R['uploadToken'] extends true ? UploadSessionState : undefined;
  readonly requestId: string;
  readonly now: number;
}

export interface EndpointAnswer<T> {
  readonly body: T;
  /** The answer is that of an earlier call with the same Idempotency-Key. */
  readonly replayed?: boolean;
}

export type Handler<R extends Route> = (
  request: EndpointRequest<R>,
) => Promise<EndpointAnswer<AnswerOf<R>>>;

/** @param limit bytes of a body, unpacked */
const createJsonParser = (limit: number): RequestHandler =>
  json({
    limit,
    strict: false,
    type: 'application/json',
    verify: (_request, _response, body, charset) => {
      // Looked at as bytes: in UTF-16 a quote may be half of another character.
      if (charset !== 'utf-8') throw parserError('charset.unsupported');
      const excess = findExcess(body);
      if (excess) throw parserError(`json.excess.${excess}`);
    },
  });

/** As Express's body parser throws its own; the error handler finds the sentence by `type`. */
const parserError = (type: string): Error => Object.assign(new Error(type), { type });

export const parseJson = createJsonParser(maxJsonBodyBytes);

/** Of strangers: tokens, names and passwords are a few hundred bytes, and they are read before anybody is known. */
const maxSmallBodyBytes = 64 * 1_024;
export const parseSmallJson = createJsonParser(maxSmallBodyBytes);

/** Puts a route of the contract on the router: key and upload token, then its input checked by its schemas, then the handler. */
export function mount<const R extends Route>(
  router: Router,
  context: ApiContext,
  route: R,
  handler: Handler<R>,
): void {
  const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
  const checkParameters = createParameterCheck(route);
  const parsers: RequestHandler[] =
    typeof route.body === 'object' ? [requireJson(route), parseJson] : [];

  const disabled = route.feature && context.config.disabledFeatures.includes(route.feature);
  router[route.method](
    path,
    authenticate(context),
    ...(disabled ? [notImplemented] : []),
    checkParameters,
    ...(route.uploadToken ? [authorizeUpload(context)] : []),
    ...parsers,
    async (request, response) => {
      const answer = await handler({
        caller: response.locals.caller as Caller,
        params: request.params,
        query: readQuery(route, request.query),
        body: readBody(route, request),
        idempotencyKey: route.idempotent
          ? readIdempotencyKey(request.get('Idempotency-Key'))
          : undefined,
        uploadSession: response.locals.uploadSession as UploadSessionState | undefined,
        requestId: requestIdOf(response),
        now: Date.now(),
      } as EndpointRequest<R>);
      response.status(route.success.status).set({ ...route.success.headers });
      if (answer.replayed) response.set('Idempotent-Replayed', 'true');
      if (answer.body === undefined) response.end();
      else response.json(answer.body);
    },
  );
}

const notImplemented: RequestHandler = () => {
  throw new ServiceError('not_implemented');
};

/** An id that no object can have answers as one that no object has. */
function createParameterCheck(route: Route): RequestHandler {
  const rules: [string, PathParameter][] = pathParametersOf(route.path).map((name) => [
    name,
    pathParameters[name],
  ]);
  return (request, _response, next) => {
    for (const [name, { pattern, notFound }] of rules)
      if (!pattern.test(String(request.params[name]))) throw new ServiceError(notFound);
    next();
  };
}

const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined ||
  Number(request.headers['content-length'] ?? 0) > 0;

const requireJson =
  (route: Route): RequestHandler =>
  (request, _response, next) => {
    if (!hasBody(request)) {
      if (!route.bodyOptional)
        throw new ServiceError('invalid_request', 'This route needs a JSON body.');
    } else if (!request.is('application/json'))
      throw new ServiceError(
        'invalid_request',
        'Send the body with Content-Type: application/json.',
      );
    next();
  };

function readQuery(route: Route, query: unknown): unknown {
  if (route.query === undefined) return undefined;
  assertStorableJson(query);
  return parse(route.query, query);
}

function readBody(route: Route, request: IncomingMessage & { body?: unknown }): unknown {
  if (route.body === 'bytes') return request;
  if (route.body === undefined) return undefined;
  // A body that is left out reads as {}; null was sent.
  const body = request.body === undefined ? {} : request.body;
  assertStorableJson(body, { anyTextIn: route.takesPayload && 'payload' });
  return parse(route.body, body);
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ServiceError('invalid_request', describeIssues(parsed.error), { cause: parsed.error });
}

/** The first few things to mend, each with its place; never the value, which may be a payload. */
export function describeIssues(error: z.ZodError): string {
  const shown = 3;
  const lines = error.issues.slice(0, shown).map(({ path, message }) => {
    const place = path.length > 0 ? z.core.toDotPath(path) : 'the request';
    return `${place}: ${message}`;
  });
  const more = error.issues.length > shown ? `; and ${error.issues.length - shown} more` : '';
  return `Not valid: ${lines.join('; ')}${more}.`;
}

function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header !== undefined && (header.length === 0 || header.length > maxIdempotencyKeyLength))
    throw new ServiceError(
      'invalid_request',
      `An Idempotency-Key has 1 to ${maxIdempotencyKeyLength} characters: send one such as a UUID.`,
    );
  return header;
}
