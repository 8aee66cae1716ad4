import { STATUS_CODES } from 'node:http';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { errors } from './errors.ts';
import { pathParameters } from './ids.ts';
import { errorsOf, pathParametersOf, type Route, routes } from './routes.ts';
import { errorBodySchema } from './schemas/common.ts';

/** The OpenAPI 3.1 document of the REST contract, made from the same rows that the API answers by. */
export function createOpenApiDocument(baseUrl: string) {
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Document rendering service',
      version: '1.0.0',
      description:
        'Deploy documents as immutable versions and print them to PDF, durably. Times are Unix epoch ms.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of one workspace (REST 5).',
        },
      },
    },
    paths: createPaths(),
  });
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
  const { status, schema } = route.success;
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    parameters: [...createPathParameters(route), ...createHeaders(route)],
    ...(route.query && { requestParams: { query: route.query } }),
    ...(route.body && { requestBody: createRequestBody(route.body, route.bodyOptional === true) }),
    responses: {
      [String(status) as '200']: {
        description: STATUS_CODES[status] ?? '',
        ...(schema && { content: { 'application/json': { schema } } }),
      },
      ...createErrorResponses(route),
    },
  };
}

const createPathParameters = (route: Route) =>
  pathParametersOf(route.path).map((name) => ({
    name,
    in: 'path' as const,
    required: true,
    description: pathParameters[name].description,
    schema: { type: 'string' as const },
    example: pathParameters[name].example,
  }));

function createHeaders(route: Route) {
  const header = (name: string, required: boolean, description: string) => ({
    name,
    in: 'header' as const,
    required,
    description,
    schema: { type: 'string' as const },
  });
  return [
    ...(route.idempotent
      ? [
          header(
            'Idempotency-Key',
            false,
            'Within 24 hours the same key returns the original result.',
          ),
        ]
      : []),
    ...(route.uploadToken
      ? [header('X-Upload-Token', true, 'The token that the creation of the session returned.')]
      : []),
  ];
}

const createRequestBody = (body: NonNullable<Route['body']>, optional: boolean) => ({
  required: !optional,
  content:
    body === 'bytes'
      ? { 'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } } }
      : { 'application/json': { schema: body } },
});

/** One response a status, whose description lists the codes that it may carry and what to do about each. */
function createErrorResponses(route: Route) {
  const codesByStatus = Map.groupBy(errorsOf(route), (code) => errors[code].status ?? 500);
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
        content: { 'application/json': { schema: errorBodySchema } },
      },
    ]),
  );
}
