import { expect } from 'chai';
import type { Sql } from '../../store/database.ts';
import { deleteOutbox, enqueue, leaseOutbox, postponeOutbox } from '../../store/outbox.ts';
import { inTransaction, noon, useDatabase } from './rig.ts';

const leaseMs = 10_000;
const everything = 1_000;

const owe = (sql: Sql, ...workflowIds: string[]): Promise<void> =>
  inTransaction(sql, async (tx) => {
    for (const workflowId of workflowIds)
      await enqueue(tx, workflowId, { kind: 'signal', signal: 'test' });
  });

const lease = async (sql: Sql, limit = everything, now = noon) => {
  const rows = await leaseOutbox(sql, limit, now, leaseMs);
  return [...rows].sort((one, other) => one.id - other.id);
};

describe('the outbox', () => {
  const database = useDatabase();
  beforeEach(() => database().sql`truncate outbox`);

  it('leases the oldest first, as many as are asked for', async () => {
    const { sql } = database();
    await owe(sql, 'a', 'b', 'c');
    expect((await lease(sql, 2)).map(({ workflowId }) => workflowId)).to.deep.equal(['a', 'b']);
    expect((await lease(sql, 2)).map(({ workflowId }) => workflowId)).to.deep.equal(['c']);
  });

  it('never lets a message overtake an earlier one of its workflow, also while that is under way', async () => {
    const { sql } = database();
    await owe(sql, 'a', 'a', 'b');
    const [first, other] = await lease(sql);
    expect([first?.workflowId, other?.workflowId]).to.deep.equal(['a', 'b']);
    expect(await lease(sql)).to.deep.equal([]);
    await deleteOutbox(sql, [first?.id ?? 0]);
    const [second] = await lease(sql);
    expect(second?.id).to.be.greaterThan(first?.id ?? 0);
  });

  it('leases a message again when its lease has ended', async () => {
    const { sql } = database();
    await owe(sql, 'a');
    const [first] = await lease(sql);
    expect(await lease(sql, everything, noon + leaseMs - 1)).to.deep.equal([]);
    expect(await lease(sql, everything, noon + leaseMs)).to.deep.equal([first]);
  });

  it('gives a message back for later and counts how often', async () => {
    const { sql } = database();
    await owe(sql, 'a');
    const [first] = await lease(sql);
    await postponeOutbox(sql, first?.id ?? 0, noon + 1_000);
    expect(await lease(sql, everything, noon + 999)).to.deep.equal([]);
    expect(await lease(sql, everything, noon + 1_000)).to.deep.equal([{ ...first, failures: 1 }]);
  });

  it('gives each message to one of ten relays at once', async () => {
    const { sql } = database();
    await owe(sql, ...Array.from({ length: 100 }, (_, place) => `workflow-${place}`));
    const leased = (await Promise.all(Array.from({ length: 10 }, () => lease(sql, 20)))).flat();
    const rest = await lease(sql);
    const ids = [...leased, ...rest].map(({ id }) => id);
    expect(ids).to.have.lengthOf(100);
    expect(new Set(ids)).to.have.lengthOf(100);
  });

  it('holds nothing of a transaction that failed', async () => {
    const { sql } = database();
    await inTransaction(sql, async (tx) => {
      await enqueue(tx, 'a', { kind: 'cancel' });
      throw new Error('no');
    }).catch(() => {});
    expect(await lease(sql)).to.deep.equal([]);
  });
});
