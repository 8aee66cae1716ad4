import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Router } from 'express';
import { z } from 'zod';
import { ServiceError } from '../contracts/errors.ts';
import { type PathParameter, pathParameters } from '../contracts/ids.ts';
import { assertStorableJson } from '../contracts/json.ts';
import { maxIdempotencyKeyLength } from '../contracts/limits.ts';
import { type PathParametersOf, pathParametersOf, type Route } from '../contracts/rest/route.ts';
import type { UploadSessionState } from '../store/deploys/upload-sessions.ts';
import type { Caller } from '../store/workspaces/api-keys.ts';
import { authenticate } from './authenticate.ts';
import type { ApiContext } from './context.ts';
import { parseJson } from './parse-json.ts';
import { requestIdOf } from './request-log.ts';
import { authorizeUpload } from './upload-token.ts';

type InputOf<S> = S extends z.ZodType ? z.output<S> : undefined;
/** The caller of a route and everything that the route declares, already checked. */
export interface EndpointRequest<R extends Route> {
  /** Key of the route in its table. */
  readonly operationId: string;
  readonly caller: Caller;
  readonly params: Readonly<Record<PathParametersOf<R['path']>, string>>;
  readonly query: InputOf<R['query']>;
  readonly body: R['body'] extends 'bytes' ? IncomingMessage : InputOf<R['body']>;
  /** Undefined if the client sent none, and on routes that do not use it. */
  readonly idempotencyKey: string | undefined;
  /** The session of the upload token, on a route that needs one. */
  readonly uploadSession: R['uploadToken'] extends true ? UploadSessionState : undefined;
  readonly requestId: string;
  readonly now: number;
}

interface IdempotentAnswer<T> {
  readonly body: T;
  /** True if the answer is that of an earlier call with the same Idempotency-Key. */
  readonly replayed: boolean;
}

/** Handles a checked request of a route and returns the body of the successful answer. */
export type Handler<R extends Route> = (
  request: EndpointRequest<R>,
) => R['success'] extends { schema: infer S extends z.ZodType }
  ? Promise<R['idempotent'] extends true ? IdempotentAnswer<z.input<S>> : z.input<S>>
  : Promise<void>;

type RouteTable = Readonly<Record<string, Route>>;

/** One handler for each route of a table: a missing or an extra one does not compile. */
export type Handlers<T extends RouteTable> = { readonly [O in keyof T]: Handler<T[O]> };

/** Puts every route of a table with its handler on the router. */
export function mountHandlers<T extends RouteTable>(
  router: Router,
  context: ApiContext,
  routes: T,
  handlers: Handlers<T>,
): void {
  for (const [operationId, route] of Object.entries<Route>(routes))
    mountHandler(router, context, operationId, route, handlers[operationId] as AnyHandler);
}

/** A handler of any route. Its request is `never` because parameters and body differ; the schemas of the route check them. */
type AnyHandler = (request: never) => Promise<unknown>;

/** Checks in this order API key, feature, path parameters and upload token, then query, body and Idempotency-Key, and calls the handler. */
function mountHandler(
  router: Router,
  context: ApiContext,
  operationId: string,
  route: Route,
  handler: AnyHandler,
): void {
  const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
  const isDisabled = route.feature && context.config.disabledFeatures.includes(route.feature);
  router[route.method](
    path,
    authenticate(context),
    ...(isDisabled ? [notImplemented] : []),
    createParameterCheck(route),
    ...(route.uploadToken ? [authorizeUpload(context)] : []),
    ...(typeof route.body === 'object' ? [requireJson(route), parseJson] : []),
    async (request, response) => {
      const answer = await handler({
        operationId,
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
      } as never);
      const { body, replayed } = route.idempotent
        ? (answer as IdempotentAnswer<unknown>)
        : { body: answer, replayed: false };
      response.status(route.success.status).set({ ...route.success.headers });
      if (replayed) response.set('Idempotent-Replayed', 'true');
      if (route.success.schema) response.json(body);
      else response.end();
    },
  );
}

const notImplemented: RequestHandler = () => {
  throw new ServiceError('not_implemented');
};

/** Rejects a path parameter that does not match its pattern. The answer is the same as for an object that does not exist. */
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
  // Only a missing body reads as {}: a client may send null.
  const body = request.body === undefined ? {} : request.body;
  assertStorableJson(body, { anyTextIn: route.takesPayload && 'payload' });
  return parse(route.body, body);
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ServiceError('invalid_request', describeIssues(parsed.error), { cause: parsed.error });
}

/** A sentence with the first three issues and where they are. It never shows a value, which may be part of a payload. */
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
