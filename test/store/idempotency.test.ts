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

const simultaneousCalls = 100;

describe('an Idempotency-Key', () => {
  const database = useDatabase();
  let document: TestDocument;
  before(async () => {
    document = await createDocument(database().sql);
  });

  it('returns the first answer again and does nothing else', async () => {
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

  it('is valid for its workspace only', async () => {
    const { sql } = database();
    const other = await createDocument(sql);
    const [ours, theirs] = [
      await accept(sql, document, { key: 'same' }),
      await accept(sql, other, { key: 'same' }),
    ];
    expect(theirs.replayed).to.equal(false);
    expect(theirs.job.id).not.to.equal(ours.job.id);
  });

  it('is valid for 24 hours, then it can be used with another body', async () => {
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

  it('can be used again if the first call failed', async () => {
    const { sql } = database();
    const failing = accept(sql, document, {
      key: 'failed',
      afterWrite: () => Promise.reject(new Error()),
    });
    await failing.catch(() => {});
    expect((await accept(sql, document, { key: 'failed' })).replayed).to.equal(false);
  });

  it(`creates one job for ${simultaneousCalls} simultaneous calls`, async () => {
    const { sql } = database();
    const answers = await Promise.all(
      Array.from({ length: simultaneousCalls }, () =>
        accept(sql, document, { key: 'simultaneous' }),
      ),
    );
    expect(new Set(answers.map(({ job }) => job.id))).to.have.lengthOf(1);
    expect(answers.filter(({ replayed }) => !replayed)).to.have.lengthOf(1);
  });

  /** Starts a call that writes its rows (`reached`) and then waits for `release` before it commits. */
  function hold(key: string) {
    const reached = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const first = accept(database().sql, document, {
      key,
      afterWrite: () => {
        reached.resolve();
        return release.promise;
      },
    });
    return { first, reached: reached.promise, release: release.resolve };
  }

  /** True if a statement in the database of the suite waits for a lock. */
  const isWaiting = async (): Promise<boolean> => {
    const rows = await database().sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return rows.length > 0;
  };

  it('makes a second call wait for the first one and return the same answer', async () => {
    const { first, reached, release } = hold('wait');
    await reached;
    const second = accept(database().sql, document, { key: 'wait' });
    await poll('the second call to wait', isWaiting);
    release();
    expect(await second).to.deep.equal({ job: (await first).job, replayed: true });
  });

  it('lets a second call run if the first one fails', async () => {
    const failing = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const first = accept(database().sql, document, {
      key: 'take over',
      afterWrite: () => {
        reached.resolve();
        return failing.promise;
      },
    });
    await reached.promise;
    const second = accept(database().sql, document, { key: 'take over' });
    await poll('the second call to wait', isWaiting);
    failing.reject(new Error('no'));
    await first.catch(() => {});
    expect((await second).replayed).to.equal(false);
  });

  it(`refuses a second call after ${idempotencyWaitMs} ms, so that it can be sent again`, async () => {
    const { first, reached, release } = hold('slow');
    await reached;
    const startedAt = performance.now();
    const code = await codeOf(accept(database().sql, document, { key: 'slow' }));
    expect(code).to.equal('idempotency_key_in_progress');
    expect(performance.now() - startedAt).to.be.within(
      idempotencyWaitMs - 100,
      idempotencyWaitMs + 2_000,
    );
    release();
    await first;
  });
});
