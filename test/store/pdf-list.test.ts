import { expect } from 'chai';
import type { PdfListQuery } from '../../contracts/rest/schemas/pdfs.ts';
import { createCursors } from '../../store/database/cursors.ts';
import { listPdfs, selectMatchingPdfs } from '../../store/jobs/pdfs.ts';
import { expectIndexed, fillJobs, fillPdfs, maxQueryMs, minuteMs } from './many-jobs.ts';
import { createDocument, noon, type TestDocument, useDatabase } from './store-fixture.ts';

const secondMs = 1_000;

describe('the list of managed PDFs', () => {
  const database = useDatabase();
  const cursors = createCursors(['s'.repeat(32)]);
  let document: TestDocument;
  before(async () => {
    const { sql } = database();
    document = await createDocument(sql);
    for (const other of [document, await createDocument(sql), await createDocument(sql)]) {
      await fillJobs(sql, other);
      await fillPdfs(sql, other);
    }
    await sql`vacuum analyze render_jobs`;
    await sql`vacuum analyze pdfs`;
  });

  type Filter = Omit<PdfListQuery, 'cursor' | 'limit'>;
  const filters: [string, () => Filter, number][] = [
    ['everything', () => ({}), 9_000],
    ['one document', () => ({ deployId: document.deployId }), 9_000],
    ['a document that does not exist', () => ({ deployId: 'dpl_none' }), 0],
    ['a business key', () => ({ businessKey: 'invoice-7' }), 10],
    // Each PDF is created a second after its request. Both bounds are exclusive.
    ['older PDFs', () => ({ createdBefore: noon + 11 * minuteMs + secondMs }), 9],
    ['newer PDFs', () => ({ createdAfter: noon + 9_991 * minuteMs + secondMs }), 8],
    [
      'a document in a time range',
      () => ({
        deployId: document.deployId,
        createdAfter: noon + 1_000 * minuteMs,
        createdBefore: noon + 2_000 * minuteMs,
      }),
      900,
    ],
  ];

  for (const [name, toFilter, expected] of filters) {
    it(`lists ${name}, each once and newest first, page by page`, async () => {
      const { sql } = database();
      const times: number[] = [];
      const ids = new Set<string>();
      let cursor: string | undefined;
      do {
        const query = { ...toFilter(), cursor, limit: 100 };
        const page = await listPdfs(sql, cursors, document.workspace.id, query);
        for (const { id, createdAt } of page.items) {
          ids.add(id);
          times.push(createdAt);
        }
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(times).to.have.lengthOf(expected);
      expect(ids.size).to.equal(expected);
      expect(times).to.deep.equal(times.toSorted((a, b) => b - a));
    });

    it(`finds ${name} by an index within ${maxQueryMs} ms, on the first and on the second page`, async () => {
      const { sql } = database();
      const { id } = document.workspace;
      const first = await listPdfs(sql, cursors, id, { ...toFilter(), limit: 100 });
      const last = first.items.at(-1);
      for (const after of [undefined, last && `${last.createdAt}/${last.id}`])
        await expectIndexed(sql, selectMatchingPdfs(sql, id, { ...toFilter(), after, limit: 101 }));
    });
  }

  it('lists PDFs of the same millisecond once each', async () => {
    const { sql } = database();
    const many = await createDocument(sql);
    await fillJobs(sql, many);
    await fillPdfs(sql, many);
    await sql`update pdfs set created_at = ${noon} where workspace_id = ${many.workspace.id}`;
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let pages = 0; pages < 3; pages += 1) {
      const page = await listPdfs(sql, cursors, many.workspace.id, { cursor, limit: 100 });
      for (const { id } of page.items) seen.add(id);
      cursor = page.nextCursor;
    }
    expect(seen.size).to.equal(300);
  });
});
