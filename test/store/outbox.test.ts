import { expect } from 'chai';
import type { Sql } from '../../store/database/connection.ts';
import {
  deleteOutboxMessages,
  enqueue,
  leaseOutboxMessages,
  postponeOutboxMessage,
} from '../../store/database/outbox.ts';
import { inTransaction, noon, useDatabase } from './store-fixture.ts';

const leaseMs = 10_000;
const everything = 1_000;

const enqueueFor = (sql: Sql, workspaceId: string, ...workflowIds: string[]): Promise<void> =>
  inTransaction(sql, async (tx) => {
    const message = { kind: 'signal', signal: 'test' } as const;
    for (const workflowId of workflowIds) await enqueue(tx, { workspaceId, workflowId, message });
  });

const enqueueSignals = (sql: Sql, ...workflowIds: string[]) =>
  enqueueFor(sql, 'ws_a', ...workflowIds);

const lease = async (sql: Sql, limit = everything, now = noon) => {
  const rows = await leaseOutboxMessages(sql, limit, now, leaseMs);
  return [...rows].sort((one, other) => one.id - other.id);
};

describe('the outbox', () => {
  const database = useDatabase();
  beforeEach(() => database().sql`truncate outbox`);

  it('leases the requested number of messages, oldest first', async () => {
    const { sql } = database();
    await enqueueSignals(sql, 'a', 'b', 'c');
    expect((await lease(sql, 2)).map(({ workflowId }) => workflowId)).to.deep.equal(['a', 'b']);
    expect((await lease(sql, 2)).map(({ workflowId }) => workflowId)).to.deep.equal(['c']);
  });

  it('serves every workspace in each turn, however many messages another one has', async () => {
    const { sql } = database();
    const many = Array.from({ length: 100 }, (_, index) => `a-${index}`);
    await enqueueSignals(sql, ...many);
    const served = await lease(sql, 50);
    await deleteOutboxMessages(
      sql,
      served.map(({ id }) => id),
    );
    await enqueueFor(sql, 'ws_b', 'b-0', 'b-1', 'b-2');
    const next = (await lease(sql, 6)).map(({ workflowId }) => workflowId);
    expect(next).to.have.members(['a-50', 'b-0', 'a-51', 'b-1', 'a-52', 'b-2']);
    expect((await lease(sql)).map(({ workflowId }) => workflowId)).to.deep.equal(many.slice(53));
  });

  it('never leases a message before an earlier one of the same workflow is deleted', async () => {
    const { sql } = database();
    await enqueueSignals(sql, 'a', 'a', 'b');
    const [first, other] = await lease(sql);
    expect([first?.workflowId, other?.workflowId]).to.deep.equal(['a', 'b']);
    expect(await lease(sql)).to.deep.equal([]);
    await deleteOutboxMessages(sql, [first?.id ?? 0]);
    const [second] = await lease(sql);
    expect(second?.id).to.be.greaterThan(first?.id ?? 0);
  });

  it('leases a message again after its lease has ended', async () => {
    const { sql } = database();
    await enqueueSignals(sql, 'a');
    const [first] = await lease(sql);
    expect(await lease(sql, everything, noon + leaseMs - 1)).to.deep.equal([]);
    expect(await lease(sql, everything, noon + leaseMs)).to.deep.equal([first]);
  });

  it('postpones a message and counts its failures', async () => {
    const { sql } = database();
    await enqueueSignals(sql, 'a');
    const [first] = await lease(sql);
    await postponeOutboxMessage(sql, first?.id ?? 0, noon + 1_000);
    expect(await lease(sql, everything, noon + 999)).to.deep.equal([]);
    expect(await lease(sql, everything, noon + 1_000)).to.deep.equal([{ ...first, failures: 1 }]);
  });

  it('leases each message to one of ten simultaneous relays', async () => {
    const { sql } = database();
    await enqueueSignals(sql, ...Array.from({ length: 100 }, (_, index) => `workflow-${index}`));
    const leased = (await Promise.all(Array.from({ length: 10 }, () => lease(sql, 20)))).flat();
    const remaining = await lease(sql);
    const ids = [...leased, ...remaining].map(({ id }) => id);
    expect(ids).to.have.lengthOf(100);
    expect(new Set(ids)).to.have.lengthOf(100);
  });

  it('contains no message of a failed transaction', async () => {
    const { sql } = database();
    await inTransaction(sql, async (tx) => {
      await enqueue(tx, { workspaceId: 'ws_a', workflowId: 'a', message: { kind: 'cancel' } });
      throw new Error('no');
    }).catch(() => {});
    expect(await lease(sql)).to.deep.equal([]);
  });
});
