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

/** Makes the OpenAPI 3.1 document of the REST contract from the same table of routes that the API mounts. */
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
            description: 'An API key. It belongs to one workspace.',
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
    // We send webhooks: their schemas are outputs, although a webhook is a request.
    componentsOf(webhookEventSchema, 'output'),
    // The commit refers to these schemas by name: its own schema only checks the options.
    componentsOf(z.strictObject({ print: printOptionsSchema }), 'input'),
  );
  return document;
}

const componentsOf = (schema: z.ZodType, io: 'input' | 'output') =>
  createSchema(schema, { io, openapiVersion: openApiVersion, opts: options }).components;

const openApiVersion = '3.1.1';

const options: CreateDocumentOptions = {
  // A custom schema has checks but no shape. Its metadata describes it.
  allowEmptySchema: { custom: true },
  // v1 may add fields to answers: clients ignore unknown fields.
  override: ({ jsonSchema, io }) => {
    if (io === 'output') delete jsonSchema.additionalProperties;
  },
};

const description = `Deploy documents as immutable versions and print them to PDF, durably.

1. Upload a document by an **upload session** and commit it as a version of a **deploy**.
2. Create a **render job** with the payload to print, and poll it.
3. Fetch the output by a signed link, or keep it as a **managed PDF**.

Times are integers, Unix epoch milliseconds. The body of every error is \`{ "error", "message" }\`: the code is for programs, the
message says what to do. Lists have cursors: pass \`nextCursor\` of one page as \`cursor\` for the next. We may add fields to
answers: ignore those that you do not know. Text must not contain NUL or lone surrogates, except in payloads. You can set the id of a
call in the header \`X-Request-Id\`.`;

const responseHeaders = {
  'X-Request-Id': {
    description:
      'Id of the call in our logs: the one that the caller sent in this header, else a UUID.',
    required: true,
    schema: { type: 'string' as const, pattern: '^[A-Za-z0-9_.-]{1,64}$' },
  },
  'Idempotent-Replayed': {
    description: 'Present if the answer is that of an earlier call with the same Idempotency-Key.',
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

/** Makes an example answer for each error code that a route declares. */
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

/** The webhook that we send when a job has ended (REST 6), signed according to Standard Webhooks 1.0. */
const createWebhooks = (): ZodOpenApiPathsObject => ({
  [webhookEventType]: {
    post: {
      operationId: 'onRenderJobTerminated',
      summary: 'A render job has ended',
      description:
        'We send it to each webhook endpoint of the workspace and repeat it until the answer is 2xx. Verify the signature. Ignore a `webhook-id` that you have already handled.',
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
      responses: {
        '204': { description: 'Any 2xx ends the delivery. 410 disables the endpoint.' },
      },
    },
  },
});

const webhookHeaders = {
  'webhook-id': 'Id of the event, the same at each attempt.',
  'webhook-timestamp': 'Time of the attempt, Unix seconds.',
  'webhook-signature':
    '`v1,<base64>`: HMAC-SHA256 of `<id>.<timestamp>.<body>`. While the secret is rotated, two of them, separated by a space.',
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
            'A key of your choice for this call, such as a UUID. Within 24 hours the same key returns the original result.',
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
          description: 'The `uploadToken` from the answer that created the session.',
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

/** For operations whose answer has parameters of other operations: the name of each parameter and its place in the answer. */
const parameterSources: Partial<Record<string, Readonly<Record<string, string>>>> = {
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

/** Makes links from an answer to all operations whose path parameters it contains. */
function createLinks(operationId: string) {
  const sources = parameterSources[operationId] ?? {};
  const targets = Object.entries<Route>(routes).filter(([, { path }]) => {
    const names = pathParametersOf(path);
    return names.length > 0 && names.every((name) => sources[name] !== undefined);
  });
  return Object.fromEntries(
    targets.map(([target, { path, uploadToken }]) => {
      const names = [...pathParametersOf(path), ...(uploadToken ? ['X-Upload-Token'] : [])];
      const parameters = names.map((name) => [name, `$response.body#${sources[name]}`]);
      return [target, { operationId: target, parameters: Object.fromEntries(parameters) }];
    }),
  );
}

/** Makes one response for each error status. Its description lists the error codes with their sentences. */
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

/** Headers that api/error-handler.ts and api/authenticate.ts send with an error. */
function errorHeaders(status: number, codes: readonly HttpErrorCode[]) {
  if (status === 401) return ['WWW-Authenticate'] as const;
  return codes.some(sendsRetryAfter) ? (['Retry-After'] as const) : [];
}
