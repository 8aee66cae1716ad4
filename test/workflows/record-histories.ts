// Records the histories that replay.test.ts replays, from real runs of the current workflows. To record one of them:
//
//   npm test -- test/workflows/record-histories.ts -g 'render-job-failed$'
//
// Without `-g` it records all of them again and overwrites the histories of earlier releases.
//
// Record a history when a workflow has a new path, under a new name, even if the steps of an older recording take that path now.
// Do not record it again when it no longer replays after a change: jobs that run while we release have the same history. Keep
// the old file and use `patched()`.
import { writeFile } from 'node:fs/promises';
import { taskQueues, workflowIds, workflowTypes } from '../../contracts/processes/workflows.ts';
import { createWebhookEndpoint } from '../../store/webhooks/webhook-endpoints.ts';
import { poll } from '../support/poll.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { fetchHistory, toJson } from './histories.ts';
import { type InProcessService, startInProcessService } from './workflow-fixture.ts';

const folder = new URL('../histories/', import.meta.url);

/** Starts a workflow, does what brings it to its end, and returns its id. */
type Recording = (
  service: InProcessService,
  receiver: Receiver,
) => Promise<{ readonly workflowId: string }>;

const recordings: Record<string, Recording> = {
  'render-job-succeeded': (service) => service.createJob(),

  'render-job-retried': (service) =>
    service.createJob({ steps: ['storage_fails', 'render_crashed', 'print'] }),

  'render-job-failed': (service) => service.createJob({ steps: ['navigation_timeout'] }),

  'render-job-held-up': (service) =>
    service.createJob({ steps: ['storage_fails', 'storage_fails', 'print'] }),

  async 'render-job-canceled-while-held-up'(service) {
    const job = await service.createJob({ steps: ['storage_fails'] });
    await service.waitForStatus(job, 'retry_scheduled');
    await service.temporal.workflow.getHandle(job.workflowId).cancel();
    return job;
  },

  async 'render-job-admitted-later'(service) {
    const workspace = await service.createWorkspace('single');
    const first = await service.createJob({ workspace, steps: ['hold'] });
    const second = await service.createJob({ workspace });
    await poll('the second job to wait', () =>
      service.temporal.workflow.getHandle(second.workflowId).describe(),
    );
    service.renderer.release(first.jobId);
    return second;
  },

  async 'render-job-canceled'(service) {
    const job = await service.createJob({ steps: ['render_crashed'], retryDelaysMs: [60_000] });
    await service.waitForStatus(job, 'retry_scheduled');
    await service.temporal.workflow.getHandle(job.workflowId).cancel();
    return job;
  },

  async 'render-job-canceled-while-rendering'(service) {
    const job = await service.createJob({ steps: ['hold'] });
    await service.waitForStatus(job, 'rendering');
    await service.temporal.workflow.getHandle(job.workflowId).cancel();
    return job;
  },

  'commit-upload-published': (service) =>
    service.startCommit({ workspaceId: service.workspace.id, slug: 'published' }),

  'commit-upload-incomplete': (service) =>
    service.startCommit({ workspaceId: service.workspace.id, slug: 'incomplete', lost: true }),

  'deliver-webhook-retried': (service, receiver) => deliver(service, receiver, [500, 204]),

  'deliver-webhook-failed': (service, receiver) => deliver(service, receiver, [500, 500]),

  async 'clean-up-done'(service) {
    const workflowId = 'clean-up-done';
    const { cleanUp } = workflowTypes;
    await service.temporal.workflow.start(cleanUp, { workflowId, taskQueue: taskQueues.control });
    return { workflowId };
  },
};

const webhookPath = '/hook';

/** Sends a webhook to the receiver, which answers the attempts with these statuses. */
async function deliver(
  service: InProcessService,
  receiver: Receiver,
  statuses: readonly number[],
): Promise<{ workflowId: string }> {
  const { sql, webhookSecrets } = service.store;
  receiver.answer(webhookPath, (response, before) =>
    response.writeHead(statuses[before] ?? 500).end(),
  );
  await createWebhookEndpoint(sql, webhookSecrets, {
    workspaceId: service.workspace.id,
    url: receiver.url(webhookPath),
    egressAllow: allowReceiver(receiver),
    now: Date.now(),
  });
  await service.createJob();
  const deliveryId = await poll('the delivery', async () => {
    const [row] = await sql<{ id: string }[]>`select id from webhook_deliveries`;
    return row?.id;
  });
  return { workflowId: workflowIds.deliverWebhook(deliveryId) };
}

const allowReceiver = ({ port }: Receiver): string[] => [`127.0.0.1:${port}`];

describe('recording histories', () => {
  for (const [name, run] of Object.entries(recordings))
    it(name, async () => {
      await using receiver = await startReceiver();
      const webhooks = { retryScheduleMs: [0, 50], egressAllow: allowReceiver(receiver) };
      await using service = await startInProcessService({ webhooks });
      const started = await run(service, receiver);
      await service.waitForClose(started);
      const history = await fetchHistory(service.temporal, started.workflowId);
      await writeFile(new URL(`${name}.json`, folder), `${toJson(history)}\n`);
    });
});
