import { expect } from 'chai';
import { idempotencyWaitMs, idempotencyWindowMs } from '../../contracts/limits.ts';
import { poll } from '../support/poll.ts';
import {
  accept,
  codeOf,
  createDocument,
  noon,
  type TestDocument,
  useDatabase,
} from './store-fixture.ts';

const twins = 100;

describe('an Idempotency-Key', () => {
  const database = useDatabase();
  let document: TestDocument;
  before(async () => {
    document = await createDocument(database().sql);
  });

  it('gives the first answer again, and does nothing', async () => {
    const { sql } = database();
    const body = { payload: { a: 1, b: 2 } };
    const first = await accept(sql, document, { key: 'again', body });
    const second = await accept(sql, document, {
      key: 'again',
      body: { payload: { b: 2, a: 1 } },
      now: noon + 1,
    });
    expect(first.replayed).to.equal(false);
    expect(second).to.deep.equal({ job: first.job, replayed: true });
  });

  it('is refused with another body', async () => {
    const { sql } = database();
    await accept(sql, document, { key: 'other body', body: { payload: 1 } });
    const refused = accept(sql, document, { key: 'other body', body: { payload: 2 } });
    expect(await codeOf(refused)).to.equal('idempotency_key_conflict');
  });

  it('is of its workspace alone', async () => {
    const { sql } = database();
    const other = await createDocument(sql);
    const [ours, theirs] = [
      await accept(sql, document, { key: 'same' }),
      await accept(sql, other, { key: 'same' }),
    ];
    expect(theirs.replayed).to.equal(false);
    expect(theirs.job.id).not.to.equal(ours.job.id);
  });

  it('is remembered for 24 hours and not longer, also for another body', async () => {
    const { sql } = database();
    const at = (now: number, payload: unknown) =>
      accept(sql, document, { key: 'window', body: { payload }, now });
    const first = await at(noon, 1);
    const last = await at(noon + idempotencyWindowMs - 1, 1);
    const fresh = await at(noon + idempotencyWindowMs, 2);
    const again = await at(noon + idempotencyWindowMs + 1, 2);
    expect(last.job).to.deep.equal(first.job);
    expect(fresh.replayed).to.equal(false);
    expect(fresh.job.id).not.to.equal(first.job.id);
    expect(again).to.deep.equal({ job: fresh.job, replayed: true });
  });

  it('is free again when the first call failed', async () => {
    const { sql } = database();
    const failing = accept(sql, document, {
      key: 'failed',
      also: () => Promise.reject(new Error()),
    });
    await failing.catch(() => {});
    expect((await accept(sql, document, { key: 'failed' })).replayed).to.equal(false);
  });

  it(`makes one job of ${twins} calls at once`, async () => {
    const { sql } = database();
    const answers = await Promise.all(
      Array.from({ length: twins }, () => accept(sql, document, { key: 'twins' })),
    );
    expect(new Set(answers.map(({ job }) => job.id))).to.have.lengthOf(1);
    expect(answers.filter(({ replayed }) => !replayed)).to.have.lengthOf(1);
  });

  /** A call that has written and waits before it commits. */
  function hold(key: string) {
    const reached = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const first = accept(database().sql, document, {
      key,
      also: () => {
        reached.resolve();
        return release.promise;
      },
    });
    return { first, reached: reached.promise, release: release.resolve };
  }

  /** True once a statement of the suite's database waits for a lock. */
  const isWaiting = async (): Promise<boolean> => {
    const rows = await database().sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return rows.length > 0;
  };

  it('makes a twin wait for the first call and answer as it does', async () => {
    const { first, reached, release } = hold('wait');
    await reached;
    const twin = accept(database().sql, document, { key: 'wait' });
    await poll('the twin to wait', isWaiting);
    release();
    expect(await twin).to.deep.equal({ job: (await first).job, replayed: true });
  });

  it('makes a twin take over when the first call fails', async () => {
    const failing = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const first = accept(database().sql, document, {
      key: 'take over',
      also: () => {
        reached.resolve();
        return failing.promise;
      },
    });
    await reached.promise;
    const twin = accept(database().sql, document, { key: 'take over' });
    await poll('the twin to wait', isWaiting);
    failing.reject(new Error('no'));
    await first.catch(() => {});
    expect((await twin).replayed).to.equal(false);
  });

  it(`lets a twin go after ${idempotencyWaitMs} ms, to be sent again`, async () => {
    const { first, reached, release } = hold('slow');
    await reached;
    const begun = performance.now();
    const code = await codeOf(accept(database().sql, document, { key: 'slow' }));
    expect(code).to.equal('idempotency_key_in_progress');
    expect(performance.now() - begun).to.be.within(
      idempotencyWaitMs - 100,
      idempotencyWaitMs + 2_000,
    );
    release();
    await first;
  });
});
