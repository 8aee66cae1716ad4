import { expect } from 'chai';
import { deployPage } from '../support/documents.ts';
import type { Workspace } from '../support/service.ts';
import { expectRefusal, expectSuccess, uniqueSlug, unusedIds, useApi } from './api-fixture.ts';

type Listed = { items: { id: string }[]; nextCursor?: string };

interface List {
  readonly operation: 'listDeploys' | 'listRenderJobs';
  /** The query that selects the list. */
  readonly query: () => Record<string, string>;
  readonly add: () => Promise<string>;
}

describe('lists', () => {
  const api = useApi();
  let workspace: Workspace;
  let deployId: string;
  let otherDeployId: string;
  before(async () => {
    workspace = await api().service.createWorkspace();
    // Jobs of this workspace are not rendered: without a place under the ceiling they wait.
    const { sql } = api().service.database;
    deployId = (await deployPage(workspace.client, '<!doctype html><p>Listed</p>')).deployId;
    otherDeployId = (await deployPage(workspace.client, '<!doctype html><p>Other</p>')).deployId;
    await sql`update workspaces set plan = 'blank', admitted_jobs = 1000 where id = ${workspace.id}`;
    for (const { operation, add } of lists) {
      const added: string[] = [];
      for (let count = 0; count < 25; count++) added.push(await add());
      addedBy.set(operation, added);
    }
  });

  const addedBy = new Map<string, string[]>();
  const read = async (
    { operation, query }: List,
    input: Record<string, string | number> = {},
  ): Promise<Listed> => {
    const { apiKey } = workspace;
    const answer = await expectSuccess(api(), operation, {
      apiKey,
      query: { ...query(), ...input },
    });
    const { items, nextCursor } = answer as { items: object[]; nextCursor?: string };
    const ids = items.map((item) => ('job' in item ? item.job : item) as { id: string });
    return { items: ids, ...(nextCursor !== undefined && { nextCursor }) };
  };

  const lists: List[] = [
    {
      operation: 'listDeploys',
      query: () => ({}),
      add: async () => {
        const { apiKey } = workspace;
        const body = { slug: uniqueSlug(), name: 'Listed' };
        return (await expectSuccess(api(), 'createDeploy', { apiKey, body })).deploy.id;
      },
    },
    {
      operation: 'listRenderJobs',
      query: () => ({ deployId }),
      add: async () => {
        const { apiKey } = workspace;
        return (await expectSuccess(api(), 'createRenderJob', { apiKey, body: { deployId } })).job
          .id;
      },
    },
  ];

  for (const list of lists)
    describe(`by ${list.operation}`, () => {
      const added = () => addedBy.get(list.operation) ?? [];

      it('are newest first, with 20 items by default', async () => {
        const { items, nextCursor } = await read(list);
        expect(items.map(({ id }) => id)).to.deep.equal(added().slice(-20).reverse());
        expect(nextCursor).to.be.a('string');
      });

      it('can be read page by page without duplicates or gaps while new items arrive', async () => {
        const all = (await read(list, { limit: 100 })).items.map(({ id }) => id);
        const walked: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await read(list, { limit: 4, ...(cursor && { cursor }) });
          expect(page.items.length).to.be.at.most(4);
          walked.push(...page.items.map(({ id }) => id));
          cursor = page.nextCursor;
          if (walked.length < 12) await list.add();
        } while (cursor);
        expect(walked).to.deep.equal(all);
      });

      it('have no cursor on the last page, even if it is full', async () => {
        const all = await read(list, { limit: 100 });
        const full = await read(list, { limit: all.items.length });
        expect(full.items).to.deep.equal(all.items);
        for (const page of [all, full]) expect(page).not.to.have.property('nextCursor');
      });

      for (const limit of ['0', '101', '-1', '1.5', 'x', '', '1&limit=2', '9'.repeat(20)])
        it(`cannot have a limit of ${limit || 'nothing'}`, async () => {
          const { apiKey } = workspace;
          const query = `${new URLSearchParams(list.query())}&limit=${limit}`;
          await expectRefusal(api(), list.operation, 'invalid_request', { apiKey, query });
        });

      for (const limit of [1, 100])
        it(`may have a limit of ${limit}`, async () => {
          const { items } = await read(list, { limit });
          expect(items.length).to.be.within(1, limit);
        });

      it('reject a cursor of another list and a changed cursor', async () => {
        const { nextCursor = '' } = await read(list, { limit: 1 });
        const [other] = lists.filter((one) => one !== list);
        const { nextCursor: others = '' } = other ? await read(other, { limit: 1 }) : {};
        const forged = [
          'x',
          'A'.repeat(60),
          `${nextCursor}A`,
          nextCursor.slice(2),
          others,
          '\u0000',
        ];
        for (const cursor of forged)
          await expectRefusal(
            api(),
            list.operation,
            cursor === '\u0000' ? 'invalid_request' : 'invalid_cursor',
            {
              apiKey: workspace.apiKey,
              query: { ...list.query(), cursor },
            },
          );
      });

      it('reject unknown parameters and NUL', async () => {
        const { apiKey } = workspace;
        for (const query of [{ unknown: '1' }, { cursor: '' }, { deployId: 'a\u0000' }])
          await expectRefusal(api(), list.operation, 'invalid_request', {
            apiKey,
            query: { ...list.query(), ...query },
          });
      });
    });

  describe('with a foreign cursor', () => {
    it('reject that of another workspace', async () => {
      const [deploys] = lists as [List, List];
      const { nextCursor = '' } = await read(deploys, { limit: 1 });
      await expectRefusal(api(), 'listDeploys', 'invalid_cursor', {
        query: { cursor: nextCursor },
      });
    });

    it('reject that of another deploy', async () => {
      const [, jobs] = lists as [List, List];
      const { nextCursor: cursor = '' } = await read(jobs, { limit: 1 });
      const query = { deployId: otherDeployId, cursor };
      await expectRefusal(api(), 'listRenderJobs', 'invalid_cursor', {
        apiKey: workspace.apiKey,
        query,
      });
    });
  });

  it('of jobs need an existing deploy', async () => {
    const { apiKey } = workspace;
    await expectRefusal(api(), 'listRenderJobs', 'invalid_request', { apiKey });
    for (const id of [unusedIds.deployId, 'x'])
      await expectRefusal(api(), 'listRenderJobs', 'deploy_not_found', {
        apiKey,
        query: { deployId: id },
      });
  });
});
