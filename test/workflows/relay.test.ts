import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { expect } from 'chai';
import { pino } from 'pino';
import { admittedSignal } from '../../contracts/processes/workflows.ts';
import { findFreePort } from '../../dev/servers/ports.ts';
import { enqueue } from '../../store/database/outbox.ts';
import { startRelay } from '../../temporal/relay.ts';
import { poll } from '../support/poll.ts';
import { useInProcessService } from './workflow-fixture.ts';

const log = pino({ level: 'silent' });
const manyJobs = 40;

describe('the outbox relay', () => {
  const service = useInProcessService();

  it('makes each call once when several relays read the outbox', async () => {
    const starts = new Map<string, number>();
    const counting: WorkflowClientInterceptor = {
      async startWithDetails(input, next) {
        const workflowId = String(input.options.workflowId);
        starts.set(workflowId, (starts.get(workflowId) ?? 0) + 1);
        return next(input);
      },
    };
    const temporal = service().createClient({ interceptors: { workflow: [counting] } });
    await using second = startRelay({ sql: service().store.sql, temporal, log });
    await using third = startRelay({ sql: service().store.sql, temporal, log });
    const jobs = await Promise.all(
      Array.from({ length: manyJobs }, async () => {
        const job = await service().createJob();
        second.wake();
        third.wake();
        return job;
      }),
    );
    await Promise.all(jobs.map((job) => service().waitForStatus(job, 'succeeded')));
    expect(Math.max(0, ...starts.values())).to.be.lessThan(2);
    await poll('the outbox to be empty', isEmpty);
  });

  it('never sends a signal before the workflow was started', async () => {
    const temporal = service().createClient({});
    await using other = startRelay({ sql: service().store.sql, temporal, log });
    const workspace = await service().createWorkspace('single');
    const holder = await service().createJob({ workspace, steps: ['hold'] });
    // Each job waits for admission. Its signal is in the outbox before any relay has read the start.
    const jobs = await Promise.all(
      Array.from({ length: 10 }, () =>
        service().createJob({
          workspace,
          also: async (tx, workflowId) => {
            const message = { kind: 'signal', signal: admittedSignal } as const;
            await enqueue(tx, { workspaceId: workspace.id, workflowId, message });
            other.wake();
          },
        }),
      ),
    );
    await Promise.all(jobs.map((job) => service().waitForStatus(job, 'succeeded')));
    service().renderer.release(holder.jobId);
    await service().waitForStatus(holder, 'succeeded');
  });

  it('treats the start of a workflow that was started already as done', async () => {
    const job = await service().createJob();
    await service().waitForClose(job);
    await service().store.sql`
      insert into outbox (workspace_id, workflow_id, message, turn)
      select ${service().workspace.id}, ${job.workflowId}, ${service().store.sql.json(startOf(job.jobId, service().workspace.id))}, 0`;
    service().relay.wake();
    await poll('the outbox to be empty', isEmpty);
    expect(await service().waitForStatus(job, 'succeeded')).to.include({ workflowAttempt: 1 });
    expect(service().renderer.prints.filter(({ jobId }) => jobId === job.jobId)).to.have.lengthOf(
      1,
    );
  });

  it('treats a call to a workflow that does not exist as done', async () => {
    const workspaceId = service().workspace.id;
    const message = { kind: 'cancel' } as const;
    await enqueue(service().store.sql, { workspaceId, workflowId: 'render-job/none', message });
    service().relay.wake();
    await poll('the outbox to be empty', isEmpty);
  });

  it('keeps a call that fails, and makes it when Temporal answers again', async () => {
    const address = `127.0.0.1:${await findFreePort()}`;
    const connection = Connection.lazy({ address, connectTimeout: 500 });
    const temporal = new Client({ connection, namespace: 'default' });
    await service().relay[Symbol.asyncDispose]();
    const down = startRelay({ sql: service().store.sql, temporal, log });
    const job = await service().createJob();
    down.wake();
    await poll('a call that failed', async () => {
      const [row] = await service().store.sql`select 1 from outbox where failures > 0`;
      return row;
    });
    await down[Symbol.asyncDispose]();
    await connection.close();
    await using _up = startRelay({ sql: service().store.sql, temporal: service().temporal, log });
    expect(await service().waitForStatus(job, 'succeeded')).to.include({ workflowAttempt: 1 });
  });

  const isEmpty = async (): Promise<true | undefined> => {
    const rows = await service().store.sql`select 1 from outbox limit 1`;
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
