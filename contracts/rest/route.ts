import type { z } from 'zod';
import type { HttpErrorCode } from '../errors.ts';
import type { PathParameterName } from '../ids.ts';

/**
 * What a process may be configured without: the operations for which the contract lists 501 then answer that (REST 4.2, 4.3); only
 * those name a `feature`, the others go on.
 */
export const features = ['upload-sessions', 'render-jobs'] as const;
export type Feature = (typeof features)[number];

/** How the reference groups the operations, in the order in which a caller meets them. */
export const tags = {
  Deploys:
    'A deploy is a named document: `managed`, with immutable versions that are committed to it, or `url`, a hosted page. Aliases such as `production` point at a version, so that callers need not change.',
  'Upload sessions':
    'Bring files to a managed deploy: create the session, ask what is missing, upload each blob by its SHA-256, commit. The commit is a new version.',
  'Render jobs':
    'A job prints one version with one payload: create it, poll it every 2 to 5 seconds, get a link to its output. The payload is deleted when the job ends.',
  'Managed PDFs':
    'PDFs that are kept until they are deleted, with short-lived signed links and permanent public ones.',
  Usage: 'What the workspace has used in the current bill period, and what its plan allows.',
} as const;

/** One operation of the REST contract. The API, the typed client and the OpenAPI document are all made from these rows. */
export interface Route {
  readonly method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** Path below the base address, with `{name}` for its parameters. */
  readonly path: `/${string}`;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodObject;
  /** A schema for a JSON body, or `bytes` for a raw one. */
  readonly body?: z.ZodType | 'bytes';
  /** The body has a field `payload`, which is the caller's: any JSON, with any text in it. */
  readonly takesPayload?: true;
  /** The body may be left out; it then reads as `{}`. */
  readonly bodyOptional?: true;
  readonly feature?: Feature;
  readonly idempotent?: true;
  readonly uploadToken?: true;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly schema?: z.ZodType;
    /** Sent with every success. */
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** What the operation itself can answer; `errorsOf` adds what others can too. */
  readonly errors: readonly HttpErrorCode[];
}

/** The Content-Type of a body of `bytes`. */
export const rawMime = 'application/octet-stream';

/** A row of the table, typed as it is written. */
export const route = <const R extends Route>(row: R): R => row;

/** Every route can answer these. */
const commonErrors: readonly HttpErrorCode[] = [
  'invalid_request',
  'unauthorized',
  // By plain HTTP, where a proxy in front serves HTTPS.
  'forbidden',
  'internal_error',
  'service_unavailable',
];

const idempotencyErrors: readonly HttpErrorCode[] = [
  'idempotency_key_conflict',
  'idempotency_key_in_progress',
];

/** All that a route can answer but success: what is common, what its body adds, and its own. */
export const errorsOf = (route: Route): readonly HttpErrorCode[] => [
  ...new Set([
    ...commonErrors,
    ...(typeof route.body === 'object' ? (['payload_too_large'] as const) : []),
    ...(route.feature ? (['not_implemented'] as const) : []),
    ...(route.idempotent ? idempotencyErrors : []),
    ...route.errors,
  ]),
];

/** Names of the `{parameters}` in a path. */
export type PathParametersOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParametersOf<Rest>
  : never;

/** The parameters of a path, in order; each has a row in `pathParameters`. */
export const pathParametersOf = (path: string): PathParameterName[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParameterName);
