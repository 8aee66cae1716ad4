import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { createOpenApiDocument } from '../../contracts/rest/openapi.ts';
import { findBreakingChanges } from '../../docs/breaking-changes.ts';
import { releasedDocument } from '../../docs/release-openapi.ts';

/** A document that the cases below change. */
// biome-ignore lint/suspicious/noExplicitAny: its shape is what is under test
type Document = any;

const today: Document = JSON.parse(JSON.stringify(createOpenApiDocument('http://127.0.0.1/v1')));

/** Runs the check on today's document with one change. */
function changesOf(change: (document: Document) => void): string[] {
  const changed = structuredClone(today);
  change(changed);
  return findBreakingChanges(today, changed);
}

const schema = (document: Document, name: string): Document => document.components.schemas[name];
const without = (names: string[], name: string) => names.filter((other) => other !== name);
const text = { type: 'string' };

const breaking: Record<string, (document: Document) => void> = {
  'a route that is removed': ({ paths }) => delete paths['/deploys'].post,
  'an operation with another operationId, which generated clients use as name': ({ paths }) => {
    paths['/deploys'].post.operationId = 'makeDeploy';
  },
  'another status of success': ({ paths }) => {
    const { responses } = paths['/deploys'].post;
    responses[200] = responses[201];
    delete responses[201];
  },
  'a required field of an answer that is removed': (document) => {
    const deploy = schema(document, 'Deploy');
    delete deploy.properties.name;
    deploy.required = without(deploy.required, 'name');
  },
  'an optional field of an answer that is removed': (document) =>
    delete schema(document, 'RenderJob').properties.startedAt,
  'a field of an answer that can now be absent': (document) => {
    const deploy = schema(document, 'Deploy');
    deploy.required = without(deploy.required, 'name');
  },
  'a field of an answer that has another type': (document) => {
    schema(document, 'RenderJob').properties.attempt.type = 'string';
  },
  'a webhook that is removed': ({ webhooks }) => delete webhooks['render_job.terminated'],
  'a field of a webhook that is removed': (document) => {
    const event = schema(document, 'WebhookEvent');
    delete event.properties.timestamp;
    event.required = without(event.required, 'timestamp');
  },
  'a new value in an enum of an answer': (document) =>
    schema(document, 'RenderJob').properties.status.enum.push('paused'),
  'a new field of a request that is required': (document) => {
    const body = schema(document, 'CreateDeployBody');
    body.properties.owner = text;
    body.required.push('owner');
  },
  'a field of a request that is required now': (document) =>
    schema(document, 'CreateDeployBody').required.push('type'),
  'a field of a request that is now rejected': (document) =>
    delete schema(document, 'CreateDeployBody').properties.targetUrl,
  'a field of a request whose type is narrowed': (document) => {
    schema(document, 'CreateDeployBody').properties.name.maxLength = 100;
  },
  'a value of a request that is now rejected': (document) =>
    schema(document, 'CreateDeployBody').properties.type.enum.pop(),
  'a condition between the fields of a request': (document) => {
    schema(document, 'SetAliasBody').dependentRequired = { deployVersionId: ['reason'] };
  },
  'a header that is required now': ({ paths }) => {
    paths['/render-jobs'].post.parameters[0].required = true;
  },
  'a parameter of a query that is removed': ({ paths }) => paths['/deploys'].get.parameters.pop(),
};

const additive: Record<string, (document: Document) => void> = {
  nothing: () => {},
  'a route': ({ paths }) => {
    paths['/reports'] = { get: { ...paths['/deploys'].get, operationId: 'getUsage' } };
  },
  'an optional field of a request': (document) => {
    schema(document, 'CreateDeployBody').properties.owner = text;
  },
  'an optional field of an answer': (document) => {
    schema(document, 'Deploy').properties.owner = text;
  },
  'a field that an answer always has': (document) => {
    const deploy = schema(document, 'Deploy');
    deploy.properties.owner = text;
    deploy.required.push('owner');
  },
  'a new value in an enum of a request': (document) =>
    schema(document, 'CreateDeployBody').properties.type.enum.push('archive'),
  'an optional parameter': ({ paths }) =>
    paths['/deploys'].get.parameters.push({ name: 'slug', in: 'query', schema: text }),
  'an error': ({ paths }) => {
    const { responses } = paths['/deploys'].post;
    responses[410] = responses[409];
  },
  'other words': ({ info, paths }) => {
    info.version = '1.1.0';
    paths['/deploys'].post.description = 'Makes a deploy.';
  },
};

describe('the check for breaking changes of the OpenAPI document', () => {
  it('finds none between the last release and today', async () => {
    const released = JSON.parse(await readFile(releasedDocument, 'utf8'));
    expect(findBreakingChanges(released, today)).to.deep.equal([]);
  });

  for (const [what, change] of Object.entries(breaking))
    it(`finds ${what}`, () => {
      expect(changesOf(change)).not.to.deep.equal([]);
    });

  for (const [what, change] of Object.entries(additive))
    it(`allows ${what}`, () => {
      expect(changesOf(change)).to.deep.equal([]);
    });
});
