import { expect } from 'chai';
import { createOpenApiDocument } from '../../contracts/rest/openapi.ts';
import { useApi } from './api-fixture.ts';

describe('GET /v1/openapi.json', () => {
  const api = useApi();

  it('answers the document of the contract, with the address of this service', async () => {
    const { baseUrl } = api().service;
    const response = await fetch(`${baseUrl}/openapi.json`);
    expect(response.status).to.equal(200);
    expect(response.headers.get('X-Request-Id')).to.be.a('string');
    const document = JSON.parse(JSON.stringify(createOpenApiDocument(baseUrl)));
    expect(await response.json()).to.deep.equal(document);
  });
});
