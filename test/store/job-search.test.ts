import { expect } from 'chai';
import type { JobFilter } from '../../contracts/admin/jobs.ts';
import { createCursors } from '../../store/database/cursors.ts';
import { countJobs, countJobsByDay } from '../../store/jobs/job-counts.ts';
import { searchJobs, selectMatchingJobs } from '../../store/jobs/job-search.ts';
import { expectIndexed, fillJobs, jobCount, maxQueryMs, minuteMs } from './many-jobs.ts';
import { createDocument, noon, type TestDocument, useDatabase } from './store-fixture.ts';

describe('the search of jobs', () => {
  const database = useDatabase();
  const cursors = createCursors(['s'.repeat(32)]);
  let document: TestDocument;
  before(async () => {
    const { sql } = database();
    document = await createDocument(sql);
    // Two more workspaces of the same size. An index that does not start with the workspace would read them, too.
    for (const other of [document, await createDocument(sql), await createDocument(sql)])
      await fillJobs(sql, other);
    await sql`vacuum analyze render_jobs`;
  });

  const searches: [string, JobFilter, number][] = [
    ['everything', {}, jobCount],
    ['a state', { status: 'failed' }, 900],
    ['a rare state', { status: 'queued' }, 100],
    ['a state without jobs', { status: 'canceled' }, 0],
    ['a business key', { businessKey: 'invoice-7' }, 10],
    ['an error code', { errorCode: 'render_failed' }, 400],
    [
      'a time range',
      { requestedFrom: noon + 1_000 * minuteMs, requestedBefore: noon + 2_000 * minuteMs },
      1_000,
    ],
    ['a state in a time range', { status: 'failed', requestedBefore: noon + 1_001 * minuteMs }, 90],
  ];

  for (const [name, filter, expected] of searches) {
    it(`finds ${name}, each job once and newest first, page by page`, async () => {
      const { sql } = database();
      const { id } = document.workspace;
      const found: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await searchJobs(sql, cursors, id, { ...filter, cursor, limit: 100 });
        found.push(...page.items.map(({ requestedAt }) => requestedAt));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(found).to.have.lengthOf(expected);
      expect(new Set(found).size).to.equal(expected);
      expect(found).to.deep.equal(found.toSorted((a, b) => b - a));
      const counts = await countJobs(sql, id, filter);
      expect(Object.values(counts).reduce((sum, count) => sum + count)).to.equal(expected);
    });

    it(`finds ${name} by an index within ${maxQueryMs} ms, on the first and on the second page`, async () => {
      const { sql } = database();
      const { id } = document.workspace;
      const first = await searchJobs(sql, cursors, id, { ...filter, limit: 100 });
      const last = first.items.at(-1);
      for (const after of [undefined, last && `${last.requestedAt}/${last.id}`]) {
        await expectIndexed(sql, selectMatchingJobs(sql, id, { ...filter, after, limit: 101 }));
      }
    });
  }

  it('counts the jobs of each of the last days, in UTC, including days without jobs', async () => {
    const { id } = document.workspace;
    const now = noon + jobCount * minuteMs;
    const days = await countJobsByDay(database().sql, id, { days: 10, now });
    const totals = days.map(
      ({ succeeded, failed, canceled, open }) => succeeded + failed + canceled + open,
    );
    // The first job is a minute after noon.
    const [firstDay, wholeDay] = [12 * 60 - 1, 24 * 60];
    const lastDay = jobCount - firstDay - 6 * wholeDay;
    expect(totals).to.deep.equal([0, 0, firstDay, ...Array(6).fill(wholeDay), lastDay]);
    expect(days.at(-1)?.day).to.equal(new Date(now).toISOString().slice(0, 10));
    const sumOf = (key: 'succeeded' | 'failed' | 'canceled' | 'open') =>
      days.reduce((sum, day) => sum + day[key], 0);
    expect([sumOf('succeeded'), sumOf('failed'), sumOf('canceled'), sumOf('open')]).to.deep.equal([
      9_000, 900, 0, 100,
    ]);
  });

  it('finds the jobs of one deploy, and none of another workspace', async () => {
    const { sql } = database();
    const { workspace, deployId } = document;
    const other = await createDocument(sql);
    const search = (workspaceId: string) =>
      searchJobs(sql, cursors, workspaceId, { deployId, limit: 1 });
    expect((await search(workspace.id)).items).to.have.lengthOf(1);
    expect((await search(other.workspace.id)).items).to.deep.equal([]);
  });
});
