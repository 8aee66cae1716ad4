import { randomUUID } from 'node:crypto';
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
import { connectTemporal } from '../support/temporal-client.ts';
import { expectInvariants } from './invariants.ts';
import { leftoversOf } from './processes.ts';

/** Shows `text` of its payload and is ready after `delayMs` of its payload, so that a render takes as long as a test needs. */
const slowPage = `<!doctype html><meta charset="utf-8"><title>Slow</title><h1></h1><script>
  window.renderReady = fetch('/__payload').then((answer) => answer.json()).then(({ delayMs, text }) => {
    document.querySelector('h1').textContent = text;
    return new Promise((resolve) => setTimeout(resolve, delayMs));
  });
</script>`;

/** Longer than the service needs to recover from any fault here. */
const recoveryTimeoutMs = 60_000;

export interface JobRow {
  readonly id: string;
  readonly status: RenderJobStatus;
  readonly attempt: number;
  readonly workflowAttempt: number;
  readonly errorCode: string | null;
}

/** The service under test, and functions that tests of faults need. */
export interface FaultTools {
  readonly service: Service;
  readonly workspace: Workspace;
  /** Creates a job whose page is ready after `delayMs`. Returns its id. */
  createJob(delayMs: number): Promise<string>;
  getJob(jobId: string): Promise<JobRow>;
  /** Polls until the job has this status, in this workflow attempt if there is one. */
  waitForStatus(jobId: string, status: RenderJobStatus, workflowAttempt?: number): Promise<JobRow>;
  /** The worker that renders the job now, according to Temporal. */
  getWorkerOf(jobId: string): Promise<ServiceProcess>;
  startWorker(): Promise<ServiceProcess>;
  startApi(): Promise<ServiceProcess>;
}

/**
 * Starts the service, runs `fault`, and checks the invariants that must hold after every fault. After the service has stopped,
 * checks that its workers left no processes and files behind.
 */
export async function testFault(
  options: ServiceOptions,
  fault: (tools: FaultTools) => Promise<void>,
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
    const remember = async (starting: Promise<ServiceProcess>): Promise<ServiceProcess> => {
      const child = await starting;
      processes.push(child);
      return child;
    };
    const startWorker = async (): Promise<ServiceProcess> => {
      const worker = await remember(service.startWorker());
      workers.push(worker);
      return worker;
    };
    await fault({
      service,
      workspace,
      async createJob(delayMs) {
        const payload = { delayMs, text: `${secret}-${accepted.length}` };
        const { job } = await workspace.client.createRenderJob({ body: { deployId, payload } });
        accepted.push(job.id);
        return job.id;
      },
      ...createJobQueries(service, workers),
      startWorker,
      startApi: () => remember(service.startApi()),
    });
    await expectInvariants({ service, processes, accepted, secret });
    // A killed worker leaves files behind. In production its supervisor starts it again, and the new worker removes them.
    if (workers.some(wasKilled)) await startWorker();
  }
  for (const { pid } of workers)
    await poll(`worker ${pid} to have left nothing`, () => {
      expect(leftoversOf(pid)).to.eql([]);
      return true;
    });
}

const killed = new WeakSet<ServiceProcess>();
const wasKilled = (child: ServiceProcess): boolean => killed.has(child);

/** Kills a process as a crash does, or the kernel when memory is short. */
export async function kill(child: ServiceProcess): Promise<void> {
  killed.add(child);
  await child.end('SIGKILL');
}

function createJobQueries(
  { database: { sql }, env }: Service,
  workers: readonly ServiceProcess[],
): Pick<FaultTools, 'getJob' | 'waitForStatus' | 'getWorkerOf'> {
  const getJob = async (jobId: string): Promise<JobRow> => {
    const [found] = await sql<JobRow[]>`
      select id, status, attempt, workflow_attempt, error_code from render_jobs where id = ${jobId}`;
    if (!found) throw new Error(`No job ${jobId}.`);
    return found;
  };
  return {
    getJob,
    waitForStatus: (jobId, status, workflowAttempt) =>
      poll(
        `${jobId} to be ${status}`,
        async () => {
          const found = await getJob(jobId);
          const isInAttempt = (workflowAttempt ?? found.workflowAttempt) === found.workflowAttempt;
          return found.status === status && isInAttempt && found;
        },
        recoveryTimeoutMs,
      ),
    async getWorkerOf(jobId) {
      await using temporal = await connectTemporal(env);
      const handle = temporal.client.workflow.getHandle(workflowIds.renderJob(jobId));
      const [activity] = (await handle.describe()).raw.pendingActivities ?? [];
      const pid = Number.parseInt(activity?.lastWorkerIdentity ?? '', 10);
      const worker = workers.find((one) => one.pid === pid);
      if (!worker) throw new Error(`No worker of this test renders ${jobId}, but process ${pid}.`);
      return worker;
    },
  };
}
