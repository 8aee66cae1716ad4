import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  createSchema,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { errors, type HttpErrorCode, sendsRetryAfter } from '../errors.ts';
import { type PathParameter, pathParameters } from '../ids.ts';
import { maxIdempotencyKeyLength, maxSingleFileBytes } from '../limits.ts';
import { exampleOf } from './example.ts';
import { errorsOf, pathParametersOf, type Route, rawMime, tags } from './route.ts';
import { type OperationId, routes } from './routes.ts';
import { errorBodySchema } from './schemas/errors.ts';
import { printOptionsSchema } from './schemas/print-options.ts';
import { webhookEventSchema, webhookEventType } from './schemas/webhooks.ts';

/** The OpenAPI 3.1 document of the REST contract, made from the same rows that the API answers by. */
export function createOpenApiDocument(baseUrl: string) {
  const document = createDocument(
    {
      openapi: openApiVersion,
      info: {
        title: 'Document rendering service',
        version: '1.0.0',
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl }],
      tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
      security: [{ apiKey: [] }],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key; it is bound to one workspace.',
          },
        },
        headers: responseHeaders,
        examples: createErrorExamples(),
      },
      paths: createPaths(),
      webhooks: createWebhooks(),
    },
    options,
  );
  Object.assign(
    document.components?.schemas ?? {},
    // The body of a webhook is a request, but ours: its shapes are those of answers.
    componentsOf(webhookEventSchema, 'output'),
    // Named by the commit, whose own schema only checks them.
    componentsOf(z.strictObject({ print: printOptionsSchema }), 'input'),
  );
  return document;
}

const componentsOf = (schema: z.ZodType, io: 'input' | 'output') =>
  createSchema(schema, { io, openapiVersion: openApiVersion, opts: options }).components;

const openApiVersion = '3.1.1';

const options: CreateDocumentOptions = {
  // A custom schema only checks; its metadata describes it.
  allowEmptySchema: { custom: true },
  // A field may be added to an answer within v1: clients ignore those that they do not know.
  override: ({ jsonSchema, io }) => {
    if (io === 'output') delete jsonSchema.additionalProperties;
  },
};

const description = `Deploy documents as immutable versions and print them to PDF, durably.

1. Upload a document by an **upload session** and commit it as a version of a **deploy**.
2. Create a **render job** with the payload to print, and poll it.
3. Fetch the output by a signed link, or keep it as a **managed PDF**.

Times are integers, Unix epoch milliseconds. The body of every error is \`{ "error", "message" }\`: the code is for programs, the
sentence says what to do. Lists have cursors: pass \`nextCursor\` of one page as \`cursor\` for the next. Fields may be added to
answers: ignore those that you do not know. Text holds neither NUL nor lone surrogates, apart from payloads. A call may name itself by the header \`X-Request-Id\`.`;

const responseHeaders = {
  'X-Request-Id': {
    description: 'Names the call in our logs: what the caller sent under this name, else a UUID.',
    required: true,
    schema: { type: 'string' as const, pattern: '^[A-Za-z0-9_.-]{1,64}$' },
  },
  'Idempotent-Replayed': {
    description: 'Sent when the answer is that of an earlier call with the same Idempotency-Key.',
    schema: { type: 'string' as const, enum: ['true'] },
  },
  'Retry-After': {
    description: 'Seconds after which the same call may succeed.',
    schema: { type: 'integer' as const, minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: { type: 'string' as const, enum: ['Bearer'] },
  },
};

const toHeaders = (...names: (keyof typeof responseHeaders)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Every code that an answer may carry, as an answer. */
function createErrorExamples() {
  const codes = new Set(Object.values<Route>(routes).flatMap(errorsOf));
  return Object.fromEntries(
    [...codes].map((code) => [code, { value: { error: code, message: errors[code].message } }]),
  );
}

function createPaths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const [operationId, route] of Object.entries<Route>(routes)) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method]: createOperation(operationId, route),
    };
  }
  return paths;
}

function createOperation(operationId: string, route: Route): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    parameters: [...createPathParameters(route), ...createRequestHeaders(route)],
    ...(route.query && { requestParams: { query: route.query } }),
    ...(route.body && { requestBody: createRequestBody(route.body, route.bodyOptional === true) }),
    responses: {
      [String(route.success.status) as '200']: createSuccessResponse(operationId, route),
      ...createErrorResponses(route),
    },
  };
}

/** What we send when a job has ended (REST 6), signed as Standard Webhooks 1.0 says. */
const createWebhooks = (): ZodOpenApiPathsObject => ({
  [webhookEventType]: {
    post: {
      operationId: 'onRenderJobTerminated',
      summary: 'A render job has ended',
      description:
        'Sent to each webhook endpoint of the workspace, again until an answer is 2xx. Verify the signature, and treat a `webhook-id` that you have seen as done.',
      parameters: Object.entries(webhookHeaders).map(([name, text]) => ({
        name,
        in: 'header' as const,
        required: true,
        description: text,
        schema: { type: 'string' as const },
      })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookEvent' } } },
      },
      responses: { '204': { description: 'Any 2xx: it is done. 410: the endpoint is disabled.' } },
    },
  },
});

const webhookHeaders = {
  'webhook-id': 'Names the event; the same at each attempt.',
  'webhook-timestamp': 'When the attempt was made, Unix seconds.',
  'webhook-signature':
    '`v1,<base64>`: HMAC-SHA256 of `<id>.<timestamp>.<body>`; two, with a space between, while the secret is rotated.',
};

const createPathParameters = (route: Route) =>
  pathParametersOf(route.path).map((name) => ({
    name,
    in: 'path' as const,
    required: true,
    description: pathParameters[name].description,
    schema: { type: 'string' as const, pattern: patternOf(pathParameters[name]) },
    example: pathParameters[name].example,
  }));

const patternOf = ({ pattern, namePattern = pattern }: PathParameter) => namePattern.source;

const createRequestHeaders = (route: Route) => [
  ...(route.idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header' as const,
          required: false,
          description:
            'A name of your choice for this call, such as a UUID: within 24 hours the same key returns the original result.',
          schema: {
            type: 'string' as const,
            minLength: 1,
            maxLength: maxIdempotencyKeyLength,
          },
        },
      ]
    : []),
  ...(route.uploadToken
    ? [
        {
          name: 'X-Upload-Token',
          in: 'header' as const,
          required: true,
          description: 'The `uploadToken` that the creation of the session returned.',
          schema: { type: 'string' as const, minLength: 1 },
        },
      ]
    : []),
];

const createRequestBody = (body: NonNullable<Route['body']>, optional: boolean) => ({
  required: !optional,
  content:
    body === 'bytes'
      ? {
          [rawMime]: {
            schema: { type: 'string' as const, format: 'binary', maxLength: maxSingleFileBytes },
            example: '<!doctype html><title>Invoice</title>',
          },
        }
      : { 'application/json': { schema: body, example: exampleOf(body) } },
});

function createSuccessResponse(
  operationId: string,
  { success: { status, schema, headers }, idempotent }: Route,
) {
  const links = createLinks(operationId);
  return {
    description: STATUS_CODES[status] ?? '',
    headers: {
      ...toHeaders('X-Request-Id', ...(idempotent ? (['Idempotent-Replayed'] as const) : [])),
      ...Object.fromEntries(
        Object.entries(headers ?? {}).map(([name, value]) => [
          name,
          { required: true, schema: { type: 'string' as const, enum: [value] } },
        ]),
      ),
    },
    ...(schema && { content: { 'application/json': { schema, example: exampleOf(schema) } } }),
    ...(Object.keys(links).length > 0 && { links }),
  };
}

/** Where the answer of an operation has what other operations take. */
const given: Partial<Record<string, Readonly<Record<string, string>>>> = {
  createDeploy: { deployId: '/deploy/id' },
  createUploadSession: {
    uploadSessionId: '/uploadSession/id',
    'X-Upload-Token': '/uploadSession/uploadToken',
  },
  commitUploadSession: { deployId: '/deployVersion/deployId', versionId: '/deployVersion/id' },
  createRenderJob: { jobId: '/job/id' },
  rerenderJob: { jobId: '/job/id' },
  getRenderJob: { pdfId: '/pdf/id' },
  createPermanentLink: { pdfId: '/link/pdfId', linkId: '/link/id' },
} satisfies Partial<Record<OperationId, unknown>>;

/** From an answer to every operation whose parameters it gives. */
function createLinks(operationId: string) {
  const source = given[operationId] ?? {};
  const targets = Object.entries<Route>(routes).filter(([, { path }]) => {
    const names = pathParametersOf(path);
    return names.length > 0 && names.every((name) => source[name] !== undefined);
  });
  return Object.fromEntries(
    targets.map(([target, { path, uploadToken }]) => {
      const names = [...pathParametersOf(path), ...(uploadToken ? ['X-Upload-Token'] : [])];
      const parameters = names.map((name) => [name, `$response.body#${source[name]}`]);
      return [target, { operationId: target, parameters: Object.fromEntries(parameters) }];
    }),
  );
}

/** One response a status, whose description lists the codes that it may carry and what to do about each. */
function createErrorResponses(route: Route) {
  const codesByStatus = Map.groupBy(errorsOf(route), (code) => errors[code].status ?? 500);
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
        headers: toHeaders('X-Request-Id', ...errorHeaders(status, codes)),
        content: {
          'application/json': {
            schema: errorBodySchema,
            examples: Object.fromEntries(
              codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  );
}

/** What api/error-handler.ts and api/authenticate.ts send beside the body. */
function errorHeaders(status: number, codes: readonly HttpErrorCode[]) {
  if (status === 401) return ['WWW-Authenticate'] as const;
  return codes.some(sendsRetryAfter) ? (['Retry-After'] as const) : [];
}
