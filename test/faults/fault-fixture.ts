import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { expect } from 'chai';
import { workflowIds } from '../../contracts/processes/workflows.ts';
import type { RenderJobStatus } from '../../contracts/states.ts';
import { deployPage } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import {
  type Service,
  type ServiceOptions,
  type ServiceProcess,
  startService,
  type Workspace,
} from '../support/service.ts';
import { expectInvariants } from './invariants.ts';
import { leftoversOf } from './processes.ts';

/** Prints its payload once `delayMs` of it have passed: a render that takes as long as a test needs. */
const slowPage = `<!doctype html><meta charset="utf-8"><title>Slow</title><h1></h1><script>
  window.renderReady = fetch('/__payload').then((answer) => answer.json()).then(({ delayMs, text }) => {
    document.querySelector('h1').textContent = text;
    return new Promise((resolve) => setTimeout(resolve, delayMs));
  });
</script>`;

/** Longer than any fault here takes to be mended. */
const settleTimeoutMs = 60_000;

export interface JobRow {
  readonly id: string;
  readonly status: RenderJobStatus;
  readonly attempt: number;
  readonly workflowAttempt: number;
  readonly errorCode: string | null;
}

export interface FaultRig {
  readonly service: Service;
  readonly workspace: Workspace;
  /** Posts a job whose page is ready after that time; returns its id once it is answered 202. */
  post(delayMs: number): Promise<string>;
  row(jobId: string): Promise<JobRow>;
  until(jobId: string, status: RenderJobStatus, workflowAttempt?: number): Promise<JobRow>;
  /** The worker that renders the job now, as Temporal knows it. */
  workerOf(jobId: string): Promise<ServiceProcess>;
  startWorker(): Promise<ServiceProcess>;
  startApi(): Promise<ServiceProcess>;
}

/**
 * Runs the service, does what `fault` does to it, and then checks what must hold after every fault: of its jobs while it runs,
 * and when it has ended, that its workers left nothing behind.
 */
export async function withService(
  options: ServiceOptions,
  fault: (rig: FaultRig) => Promise<void>,
): Promise<void> {
  const workers: ServiceProcess[] = [];
  {
    await using service = await startService(options);
    const processes = [service.api, ...service.workers];
    workers.push(...service.workers);
    const secret = `secret-${randomUUID()}`;
    const accepted: string[] = [];
    const workspace = await service.createWorkspace();
    const { deployId } = await deployPage(workspace.client, slowPage);
    const started = async (starting: Promise<ServiceProcess>): Promise<ServiceProcess> => {
      const child = await starting;
      processes.push(child);
      return child;
    };
    const startWorker = async (): Promise<ServiceProcess> => {
      const worker = await started(service.startWorker());
      workers.push(worker);
      return worker;
    };
    await fault({
      service,
      workspace,
      async post(delayMs) {
        const payload = { delayMs, text: `${secret}-${accepted.length}` };
        const { job } = await workspace.client.createRenderJob({ body: { deployId, payload } });
        accepted.push(job.id);
        return job.id;
      },
      ...createQuestions(service, workers),
      startWorker,
      startApi: () => started(service.startApi()),
    });
    await expectInvariants({ service, processes, accepted, secret });
    // A worker that was killed cannot clear up; the next one, which its supervisor starts, does.
    if (workers.some(wasKilled)) await startWorker();
  }
  for (const { pid } of workers)
    await poll(`nothing to be left of worker ${pid}`, () => {
      expect(leftoversOf(pid)).to.eql([]);
      return true;
    });
}

const killed = new WeakSet<ServiceProcess>();
const wasKilled = (child: ServiceProcess): boolean => killed.has(child);

/** As a crash, or the kernel when memory is short. */
export async function kill(child: ServiceProcess): Promise<void> {
  killed.add(child);
  await child.end('SIGKILL');
}

function createQuestions(
  { database: { sql }, env }: Service,
  workers: readonly ServiceProcess[],
): Pick<FaultRig, 'row' | 'until' | 'workerOf'> {
  const row = async (jobId: string): Promise<JobRow> => {
    const [found] = await sql<JobRow[]>`
      select id, status, attempt, workflow_attempt, error_code from render_jobs where id = ${jobId}`;
    if (!found) throw new Error(`No job ${jobId}.`);
    return found;
  };
  return {
    row,
    until: (jobId, status, workflowAttempt) =>
      poll(
        `${jobId} to be ${status}`,
        async () => {
          const found = await row(jobId);
          const isIt = found.status === status;
          return isIt && (workflowAttempt ?? found.workflowAttempt) === found.workflowAttempt
            ? found
            : undefined;
        },
        settleTimeoutMs,
      ),
    async workerOf(jobId) {
      const connection = await Connection.connect({ address: env.TEMPORAL_ADDRESS ?? '' });
      try {
        const temporal = new Client({ connection, namespace: env.TEMPORAL_NAMESPACE ?? '' });
        const { raw } = await temporal.workflow.getHandle(workflowIds.renderJob(jobId)).describe();
        const [activity] = raw.pendingActivities ?? [];
        const pid = Number.parseInt(activity?.lastWorkerIdentity ?? '', 10);
        const worker = workers.find((one) => one.pid === pid);
        if (!worker) throw new Error(`${jobId} is rendered by no worker of ours (${pid}).`);
        return worker;
      } finally {
        await connection.close();
      }
    },
  };
}
