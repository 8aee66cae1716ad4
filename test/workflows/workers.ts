import { fileURLToPath } from 'node:url';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import type { RenderActivities } from '../../activities/activities.ts';
import { requireEnv } from '../support/environment.ts';
import { WorkerLost } from './fake-renderer.ts';

/** Today's workflows. */
export const bundleWorkflows = (workflowInterceptorModules: string[] = []) =>
  bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../../workflows/workflows.ts', import.meta.url)),
    workflowInterceptorModules,
    logger: new DefaultLogger('ERROR'),
  });

/** Recorded histories name no machine. */
const identity = 'worker';

let installed = false;

/** Silent: the suites force what the SDK warns of. */
export function installRuntime(): void {
  if (!installed)
    Runtime.install({
      shutdownSignals: [],
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
    });
  installed = true;
}

/** Runs a worker in this process for each task queue, until disposed of. */
export async function runWorkers(
  namespace: string,
  queues: Readonly<Record<string, Omit<WorkerOptions, 'taskQueue'>>>,
): Promise<AsyncDisposable> {
  installRuntime();
  await using starting = new AsyncDisposableStack();
  const connection = await NativeConnection.connect({ address: requireEnv('TEMPORAL_ADDRESS') });
  starting.defer(() => connection.close());
  for (const [taskQueue, options] of Object.entries(queues)) {
    const worker = await Worker.create({ ...options, connection, namespace, taskQueue, identity });
    const running = worker.run();
    starting.defer(async () => {
      worker.shutdown();
      await running;
    });
  }
  return starting.move();
}

/** An activity that says `WorkerLost` beats and answers no more, as if its worker had died; `faults/` really kills one. */
export const losingWorkers = ({ renderDocument }: RenderActivities): RenderActivities => ({
  async renderDocument(input) {
    try {
      return await renderDocument(input);
    } catch (error) {
      const [cause] = error instanceof ApplicationFailure ? (error.details ?? []) : [];
      if ((cause as Error | undefined)?.name === WorkerLost.name) await Context.current().cancelled;
      throw error;
    }
  },
});
