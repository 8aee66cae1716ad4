import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { expect } from 'chai';
import { pino } from 'pino';
import { admittedSignal } from '../../contracts/processes/workflows.ts';
import { findFreePort } from '../../dev/servers/ports.ts';
import { enqueue } from '../../store/database/outbox.ts';
import { startRelay } from '../../temporal/relay.ts';
import { poll } from '../support/poll.ts';
import { type Rig, startRig } from './workflow-fixture.ts';

const log = pino({ level: 'silent' });
const manyJobs = 40;

describe('the outbox relay', () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig[Symbol.asyncDispose]());

  it('makes each call once, though several relays read the outbox', async () => {
    const starts = new Map<string, number>();
    const counting: WorkflowClientInterceptor = {
      async startWithDetails(input, next) {
        const workflowId = String(input.options.workflowId);
        starts.set(workflowId, (starts.get(workflowId) ?? 0) + 1);
        return next(input);
      },
    };
    const temporal = rig.createClient({ interceptors: { workflow: [counting] } });
    await using second = startRelay({ sql: rig.store.sql, temporal, log });
    await using third = startRelay({ sql: rig.store.sql, temporal, log });
    const jobs = await Promise.all(
      Array.from({ length: manyJobs }, async () => {
        const job = await rig.post();
        second.wake();
        third.wake();
        return job;
      }),
    );
    await Promise.all(jobs.map((job) => rig.until(job, 'succeeded')));
    expect(Math.max(0, ...starts.values())).to.be.lessThan(2);
    await poll('the outbox to be empty', isEmpty);
  });

  it('never lets a signal overtake the start of its workflow', async () => {
    const temporal = rig.createClient({});
    await using other = startRelay({ sql: rig.store.sql, temporal, log });
    const workspace = await rig.createWorkspace('single');
    const holder = await rig.post({ workspace, steps: ['hold'] });
    // Each waits for admission; the signal is there before any relay has seen the start.
    const jobs = await Promise.all(
      Array.from({ length: 10 }, () =>
        rig.post({
          workspace,
          also: async (tx, workflowId) => {
            const message = { kind: 'signal', signal: admittedSignal } as const;
            await enqueue(tx, { workspaceId: workspace.id, workflowId, message });
            other.wake();
          },
        }),
      ),
    );
    await Promise.all(jobs.map((job) => rig.until(job, 'succeeded')));
    rig.renderer.release(holder.jobId);
    await rig.until(holder, 'succeeded');
  });

  it('counts a workflow that was started already as started', async () => {
    const job = await rig.post();
    await rig.closed(job);
    await rig.store.sql`
      insert into outbox (workspace_id, workflow_id, message, turn)
      select ${rig.workspace.id}, ${job.workflowId}, ${rig.store.sql.json(startOf(job.jobId, rig.workspace.id))}, 0`;
    rig.relay.wake();
    await poll('the outbox to be empty', isEmpty);
    expect(await rig.until(job, 'succeeded')).to.include({ workflowAttempt: 1 });
    expect(rig.renderer.prints.filter(({ jobId }) => jobId === job.jobId)).to.have.lengthOf(1);
  });

  it('counts a call to a workflow that is gone as made', async () => {
    const workspaceId = rig.workspace.id;
    const message = { kind: 'cancel' } as const;
    await enqueue(rig.store.sql, { workspaceId, workflowId: 'render-job/none', message });
    rig.relay.wake();
    await poll('the outbox to be empty', isEmpty);
  });

  it('keeps what it cannot deliver, and delivers it when Temporal answers again', async () => {
    const address = `127.0.0.1:${await findFreePort()}`;
    const connection = Connection.lazy({ address, connectTimeout: 500 });
    const temporal = new Client({ connection, namespace: 'default' });
    await rig.relay[Symbol.asyncDispose]();
    const down = startRelay({ sql: rig.store.sql, temporal, log });
    const job = await rig.post();
    down.wake();
    await poll('a call that failed', async () => {
      const [row] = await rig.store.sql`select 1 from outbox where failures > 0`;
      return row;
    });
    await down[Symbol.asyncDispose]();
    await connection.close();
    await using _up = startRelay({ sql: rig.store.sql, temporal: rig.temporal, log });
    expect(await rig.until(job, 'succeeded')).to.include({ workflowAttempt: 1 });
  });

  const isEmpty = async (): Promise<true | undefined> => {
    const rows = await rig.store.sql`select 1 from outbox limit 1`;
    return rows.length === 0 || undefined;
  };

  const startOf = (jobId: string, workspaceId: string) => ({
    kind: 'start',
    workflowType: 'renderJob',
    input: { jobId, workspaceId, admitted: true, renderTimeoutMs: 1_000, retryDelaysMs: [50] },
    summary: '',
    memo: {},
    searchAttributes: {},
  });
});
