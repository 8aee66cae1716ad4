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

/** Bundles the current workflows. */
export const bundleWorkflows = (workflowInterceptorModules: string[] = []) =>
  bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../../workflows/workflows.ts', import.meta.url)),
    workflowInterceptorModules,
    logger: new DefaultLogger('ERROR'),
  });

/** A fixed name, so that recorded histories name no machine. */
const identity = 'worker';

let installed = false;

/** Installs the SDK's runtime without warnings, because these suites force faults that it warns of. */
export function installRuntime(): void {
  if (!installed)
    Runtime.install({
      shutdownSignals: [],
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
    });
  installed = true;
}

/** Runs a worker in this process for each task queue. Disposing of the result stops them. */
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

/** An activity that throws `WorkerLost` never answers, as if its worker had died. The suites in `faults/` really kill workers. */
export const simulateLostWorkers = ({ renderDocument }: RenderActivities): RenderActivities => ({
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
