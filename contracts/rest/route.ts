import type { z } from 'zod';
import type { HttpErrorCode } from '../errors.ts';
import type { PathParameterName } from '../ids.ts';

/**
 * Features that can be disabled in a process. Operations of a disabled feature answer 501, but only those for which the contract
 * lists 501 (REST 4.2, 4.3): these name a `feature`. All other operations still work.
 */
export const features = ['upload-sessions', 'render-jobs'] as const;
export type Feature = (typeof features)[number];

/** Groups of operations in the reference, in the order in which a caller needs them. */
export const tags = {
  Deploys:
    'A deploy is a named document. A `managed` deploy has immutable versions, made by commits. A `url` deploy is a hosted page. Aliases such as `production` point at a version, so that callers need not change.',
  'Upload sessions':
    'Upload files to a managed deploy: create the session, list the missing blobs, upload each by its SHA-256, commit. The commit makes a new version.',
  'Render jobs':
    'A job prints one version with one payload. Create the job, poll it every 2 to 5 seconds, then get a link to its output. We delete the payload when the job ends.',
  'Managed PDFs':
    'PDFs that we keep until you delete them, with short-lived signed links and permanent public links.',
  Usage: 'Usage of the workspace in the current bill period and the limits of its plan.',
} as const;

/** One operation of the REST contract. The API, the typed client and the OpenAPI document are made from these rows. */
export interface Route {
  readonly method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** Path below the base address, with `{name}` for each parameter. */
  readonly path: `/${string}`;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodObject;
  /** The schema of a JSON body, or `bytes` for a raw body. */
  readonly body?: z.ZodType | 'bytes';
  /** True if the body has a field `payload`, which may hold any JSON and any text. */
  readonly takesPayload?: true;
  /** True if the body may be left out. It is then read as `{}`. */
  readonly bodyOptional?: true;
  readonly feature?: Feature;
  /** True if callers may send an Idempotency-Key. */
  readonly idempotent?: true;
  /** True if callers must send the token of the upload session in `X-Upload-Token`. */
  readonly uploadToken?: true;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly schema?: z.ZodType;
    /** Headers of every success. */
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Errors of this operation. `errorsOf` adds the common ones. */
  readonly errors: readonly HttpErrorCode[];
}

/** Content-Type of a `bytes` body. */
export const rawMime = 'application/octet-stream';

/** Declares a row of a route table and keeps its literal types. */
export const route = <const R extends Route>(row: R): R => row;

/** Errors that every route can answer. */
const commonErrors: readonly HttpErrorCode[] = [
  'invalid_request',
  'unauthorized',
  // The call came by plain HTTP, although a proxy in front serves HTTPS.
  'forbidden',
  'internal_error',
  'service_unavailable',
];

const idempotencyErrors: readonly HttpErrorCode[] = [
  'idempotency_key_conflict',
  'idempotency_key_in_progress',
];

/** Lists all errors that a route can answer: the common ones, its own, and those of its JSON body, feature and Idempotency-Key. */
export const errorsOf = (route: Route): readonly HttpErrorCode[] => [
  ...new Set([
    ...commonErrors,
    ...(typeof route.body === 'object' ? (['payload_too_large'] as const) : []),
    ...(route.feature ? (['not_implemented'] as const) : []),
    ...(route.idempotent ? idempotencyErrors : []),
    ...route.errors,
  ]),
];

/** Union of the names of the `{parameters}` in a path. */
export type PathParametersOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParametersOf<Rest>
  : never;

/** Lists the parameters of a path in order. Each has a row in `pathParameters`. */
export const pathParametersOf = (path: string): PathParameterName[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParameterName);
