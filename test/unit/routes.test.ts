import { expect } from 'chai';
import { errors } from '../../contracts/errors.ts';
import { type PathParameter, pathParameters } from '../../contracts/ids.ts';
import { createOpenApiDocument } from '../../contracts/rest/openapi.ts';
import { errorsOf, pathParametersOf, type Route, tags } from '../../contracts/rest/route.ts';
import { routes } from '../../contracts/rest/routes.ts';
import { errorBodySchema } from '../../contracts/rest/schemas/errors.ts';

const rows = Object.entries<Route>(routes);
/** The error statuses of REST 7. There are no others. */
const statuses = [400, 401, 403, 404, 409, 410, 500, 501, 503];

describe('the catalogue of errors', () => {
  for (const [code, { status, message }] of Object.entries(errors)) {
    it(`gives ${code} a status of the contract and a sentence that says what to do`, () => {
      if (status !== null) expect(statuses).to.include(status);
      expect(message).to.match(/^[A-Z].* .*\.$/);
      // A message says what happened, then a colon, then what to do. A few only say what to send.
      expect(message).to.match(/: [a-z]|\bSend /);
    });
  }
});

describe('the table of routes', () => {
  it('has each method and path once', () => {
    const addresses = rows.map(
      ([, { method, path }]) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
    );
    expect(addresses).to.deep.equal([...new Set(addresses)]);
  });

  for (const [operationId, route] of rows)
    it(`declares parameters and answers of ${operationId}`, () => {
      for (const name of pathParametersOf(route.path)) {
        expect(pathParameters).to.have.property(name);
        expect(errorsOf(route), 'an unknown id').to.include(pathParameters[name].notFound);
      }
      for (const code of errorsOf(route))
        expect(errors[code].status, `${code} is answered over HTTP`).to.be.a('number');
      expect(route.success.schema === undefined).to.equal(route.success.status === 204);
      if (route.uploadToken)
        expect(errorsOf(route)).to.include.members([
          'upload_token_missing',
          'upload_token_invalid',
        ]);
    });
});

describe('the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(createOpenApiDocument('http://127.0.0.1:3000/v1')));

  it('is of version 3.1 and has a title, a version, a server and a security scheme', () => {
    expect(document.openapi).to.match(/^3\.1\.\d+$/);
    expect(document.info).to.include.keys('title', 'version');
    expect(document.servers).to.deep.equal([{ url: 'http://127.0.0.1:3000/v1' }]);
    for (const requirement of document.security)
      expect(document.components.securitySchemes).to.include.keys(Object.keys(requirement));
  });

  it('has each operation once, at its method and path', () => {
    const found = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
    );
    const declared = rows.map(
      ([operationId, { method, path }]) => `${operationId} ${method} ${path}`,
    );
    expect(found).to.have.members(declared);
  });

  it('does not refer to sections of our own documentation', () => {
    expect(JSON.stringify(document)).not.to.match(/\bREST \d/);
  });

  it('has no broken references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(references).not.to.have.lengthOf(0);
    for (const [, pointer = ''] of references) {
      const found = pointer
        .split('/')
        .reduce((node, key) => node?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
      expect(found, pointer).to.be.an('object');
    }
  });

  for (const [operationId, route] of rows) {
    it(`describes ${operationId} in full`, () => {
      const operation = document.paths[route.path][route.method];
      const declaredStatuses = [
        route.success.status,
        ...errorsOf(route).map((code) => errors[code].status),
      ];
      expect(Object.keys(operation.responses)).to.have.members(
        [...new Set(declaredStatuses)].map(String),
      );
      for (const [status, response] of Object.entries<{ description: string; content?: object }>(
        operation.responses,
      )) {
        expect(response.description, status).to.be.a('string');
        expect(response.content !== undefined).to.equal(status !== '204');
      }
      for (const code of errorsOf(route))
        expect(operation.responses[String(errors[code].status)].description).to.include(
          `\`${code}\``,
        );
      const inPath = (operation.parameters ?? []).filter(
        (parameter: { in: string }) => parameter.in === 'path',
      );
      expect(inPath.map(({ name }: { name: string }) => name)).to.deep.equal(
        pathParametersOf(route.path),
      );
      for (const parameter of inPath) expect(parameter.required).to.equal(true);
      expect(operation.requestBody !== undefined).to.equal(route.body !== undefined);
      expect(tags).to.have.property(operation.tags[0]);
    });

    it(`has examples of ${operationId} that match the schemas`, () => {
      const { requestBody, responses } = document.paths[route.path][route.method];
      if (typeof route.body === 'object')
        route.body.parse(requestBody.content['application/json'].example);
      const { status, schema } = route.success;
      if (schema) {
        const { example } = responses[status].content['application/json'];
        expect(schema.parse(example)).to.deep.equal(example);
      }
      for (const code of errorsOf(route)) {
        const { examples } = responses[String(errors[code].status)].content['application/json'];
        const { value } = document.components.examples[examples[code].$ref.split('/').at(-1)];
        expect(errorBodySchema.parse(value)).to.deep.equal({
          error: code,
          message: errors[code].message,
        });
      }
      for (const name of pathParametersOf(route.path)) {
        const { pattern, namePattern = pattern, example }: PathParameter = pathParameters[name];
        expect(example).to.match(pattern).and.to.match(namePattern);
      }
    });
  }
});
