import { expect } from 'chai';
import { z } from 'zod';
import type { Handlers } from '../../api/endpoint.ts';
import { type Route, route } from '../../contracts/rest/route.ts';

const table = {
  readItem: route({
    method: 'get',
    path: '/items/{jobId}',
    tag: 'Deploys',
    summary: 'Get an item',
    success: { status: 200, schema: z.strictObject({ size: z.int() }) },
    errors: [],
  }),
  createItem: route({
    method: 'post',
    path: '/items',
    tag: 'Deploys',
    summary: 'Create an item',
    body: z.strictObject({ name: z.string() }),
    idempotent: true,
    success: { status: 201, schema: z.strictObject({ name: z.string() }) },
    errors: [],
  }),
  deleteItem: route({
    method: 'delete',
    path: '/items/{jobId}',
    tag: 'Deploys',
    summary: 'Delete an item',
    success: { status: 204 },
    errors: [],
  }),
} as const satisfies Record<string, Route>;
type ItemHandlers = Handlers<typeof table>;

const handlers: ItemHandlers = {
  readItem: async ({ params }) => ({ size: params.jobId.length }),
  createItem: async ({ body }) => ({ body: { name: body.name }, replayed: false }),
  deleteItem: async () => {},
};

/** These cases are checked by `tsc`: it fails when a line below `@ts-expect-error` compiles. */
describe('handlers of a table of routes', () => {
  it('do not compile when one is missing or one is too many', () => {
    const { deleteItem: _, ...withoutDelete } = handlers;
    // @ts-expect-error deleteItem has no handler
    const missing: ItemHandlers = withoutDelete;
    // @ts-expect-error no route is called renameItem
    const extra: ItemHandlers = { ...handlers, renameItem: async () => {} };
    expect(Object.keys(missing)).to.have.lengthOf(2);
    expect(Object.keys(extra)).to.have.lengthOf(4);
  });

  it('do not compile when they answer something else than their route declares', () => {
    const wrong: ItemHandlers = {
      // @ts-expect-error a size is a number
      readItem: async () => ({ size: '1' }),
      // @ts-expect-error an idempotent route also says whether the answer is replayed
      createItem: async ({ body }) => ({ name: body.name }),
      // @ts-expect-error a 204 has no body
      deleteItem: async () => ({ deleted: true }),
    };
    expect(wrong).to.have.all.keys(Object.keys(table));
  });

  it('do not compile when they read what their route does not declare', () => {
    const wrong: ItemHandlers = {
      ...handlers,
      // @ts-expect-error the path has no parameter pdfId
      readItem: async ({ params }) => ({ size: params.pdfId.length }),
      // @ts-expect-error the body has no field size
      createItem: async ({ body }) => ({ body: { name: body.size }, replayed: false }),
    };
    expect(wrong).to.have.all.keys(Object.keys(table));
  });
});
