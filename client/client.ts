import type { z } from 'zod';
import {
  type PathParametersOf,
  pathParametersOf,
  type Route,
  rawMime,
} from '../contracts/rest/route.ts';
import { type OperationId, type Routes, routes } from '../contracts/rest/routes.ts';

/** The address of the service and the key of a workspace. */
export interface ClientOptions {
  /** Ends with the version of the API: `http://127.0.0.1:3000/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: typeof fetch;
}

type QueryOf<R> = R extends { query: infer S extends z.ZodType }
  ? { query?: QueryValues<z.input<S>> }
  : unknown;
/** Query values are sent as text; the client also accepts numbers and writes them as text. */
type QueryValues<T> = { [K in keyof T]: T[K] | number };
type BodyOf<R> = R extends { body: infer S }
  ? S extends z.ZodType
    ? R extends { bodyOptional: true }
      ? { body?: z.input<S> }
      : { body: z.input<S> }
    : { body: Uint8Array<ArrayBuffer> }
  : unknown;
type ParamsOf<R extends Route> = [PathParametersOf<R['path']>] extends [never]
  ? unknown
  : { params: Record<PathParametersOf<R['path']>, string> };
type IdempotencyOf<R> = R extends { idempotent: true } ? { idempotencyKey?: string } : unknown;
type TokenOf<R> = R extends { uploadToken: true } ? { uploadToken: string } : unknown;

export type CallInput<R extends Route> = QueryOf<R> &
  BodyOf<R> &
  ParamsOf<R> &
  IdempotencyOf<R> &
  TokenOf<R>;
export type CallAnswer<R extends Route> = R['success'] extends { schema: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** One method for each operation of the contract, typed by its route. */
export type Client = {
  readonly [K in OperationId]: (input: CallInput<Routes[K]>) => Promise<CallAnswer<Routes[K]>>;
};

/** The API answered with an error. `message` is `<code>: <the message of the answer>`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The code of the error (REST 7), such as `deploy_not_found`; `unknown` if the answer has none. */
  readonly code: string;
  readonly requestId: string | undefined;

  constructor(status: number, code: string, message: string, requestId: string | undefined) {
    super(`${code}: ${message}`);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

interface AnyCallInput {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly uploadToken?: string;
}

/** Creates a client from the routes of the contract. Each method throws `ApiError` for each answer other than success. */
export function createClient(options: ClientOptions): Client {
  const calls = Object.entries<Route>(routes).map(([operationId, route]) => [
    operationId,
    (input: AnyCallInput) => call(options, route, input ?? {}),
  ]);
  return Object.fromEntries(calls) as Client;
}

async function call(
  { baseUrl, apiKey, fetch: send = fetch }: ClientOptions,
  route: Route,
  input: AnyCallInput,
) {
  const hasRawBody = route.body === 'bytes';
  const response = await send(toUrl(baseUrl, route, input), {
    method: route.method.toUpperCase(),
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(input.body !== undefined && {
        'Content-Type': hasRawBody ? rawMime : 'application/json',
      }),
      ...(input.idempotencyKey !== undefined && { 'Idempotency-Key': input.idempotencyKey }),
      ...(input.uploadToken !== undefined && { 'X-Upload-Token': input.uploadToken }),
    },
    ...(input.body !== undefined && {
      body: hasRawBody ? (input.body as Uint8Array<ArrayBuffer>) : JSON.stringify(input.body),
    }),
  });
  if (!response.ok) throw await toApiError(response);
  return response.status === 204 ? undefined : response.json();
}

function toUrl(baseUrl: string, route: Route, { params = {}, query = {} }: AnyCallInput): URL {
  const path = pathParametersOf(route.path).reduce<string>(
    (filled, name) => filled.replace(`{${name}}`, encodeURIComponent(params[name] ?? '')),
    route.path,
  );
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

async function toApiError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as { error?: string; message?: string };
  const requestId = response.headers.get('X-Request-Id') ?? undefined;
  return new ApiError(
    response.status,
    body.error ?? 'unknown',
    body.message ?? response.statusText,
    requestId,
  );
}
