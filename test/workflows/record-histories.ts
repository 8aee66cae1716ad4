// Records the histories that replay.test.ts replays, from real runs of today's workflows:
//
//   npm test -- test/workflows/record-histories.ts
//
// Record when a workflow has a new path. A history that does not replay any more after a change is no reason to record it
// again: jobs that run while we release have just such histories. Keep the old file and use `patched()`.
import { writeFile } from 'node:fs/promises';
import {
  cleanUpScheduleId,
  taskQueues,
  workflowIds,
  workflowTypes,
} from '../../contracts/processes/workflows.ts';
import { createWebhookEndpoint } from '../../store/webhooks/webhook-endpoints.ts';
import { poll } from '../support/poll.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { fetchHistory, toJson } from './histories.ts';
import { type Rig, startRig } from './workflow-fixture.ts';

const folder = new URL('../histories/', import.meta.url);

/** One file each: starts a workflow, brings it to its end, and returns its id. */
type Recording = (rig: Rig, receiver: Receiver) => Promise<{ readonly workflowId: string }>;

const recordings: Record<string, Recording> = {
  'render-job-succeeded': (rig) => rig.post(),

  'render-job-retried': (rig) => rig.post({ steps: ['storage_fails', 'render_crashed', 'print'] }),

  'render-job-failed': (rig) => rig.post({ steps: ['navigation_timeout'] }),

  'render-job-held-up': (rig) => rig.post({ steps: ['storage_fails', 'storage_fails', 'print'] }),

  async 'render-job-canceled-while-held-up'(rig) {
    const job = await rig.post({ steps: ['storage_fails'] });
    await rig.until(job, 'retry_scheduled');
    await rig.temporal.workflow.getHandle(job.workflowId).cancel();
    return job;
  },

  async 'render-job-admitted-later'(rig) {
    const workspace = await rig.createWorkspace('single');
    const first = await rig.post({ workspace, steps: ['hold'] });
    const second = await rig.post({ workspace });
    await poll('the second to wait', () =>
      rig.temporal.workflow.getHandle(second.workflowId).describe(),
    );
    rig.renderer.release(first.jobId);
    return second;
  },

  async 'render-job-canceled'(rig) {
    const job = await rig.post({ steps: ['render_crashed'], retryDelaysMs: [60_000] });
    await rig.until(job, 'retry_scheduled');
    await rig.temporal.workflow.getHandle(job.workflowId).cancel();
    return job;
  },

  async 'render-job-canceled-while-rendering'(rig) {
    const job = await rig.post({ steps: ['hold'] });
    await rig.until(job, 'rendering');
    await rig.temporal.workflow.getHandle(job.workflowId).cancel();
    return job;
  },

  'commit-upload-published': (rig) =>
    rig.commit({ workspaceId: rig.workspace.id, slug: 'published' }),

  'commit-upload-incomplete': (rig) =>
    rig.commit({ workspaceId: rig.workspace.id, slug: 'incomplete', lost: true }),

  'deliver-webhook-retried': (rig, receiver) => deliver(rig, receiver, [500, 204]),

  'deliver-webhook-failed': (rig, receiver) => deliver(rig, receiver, [500, 500]),

  'clean-up': ({ temporal }) =>
    temporal.workflow.start(workflowTypes.cleanUp, {
      workflowId: cleanUpScheduleId,
      taskQueue: taskQueues.control,
    }),
};

const webhookPath = '/hook';

/** Tells a receiver, which answers with these statuses, of the end of a job. */
async function deliver(
  rig: Rig,
  receiver: Receiver,
  statuses: readonly number[],
): Promise<{ workflowId: string }> {
  const { sql, webhookSecrets } = rig.store;
  receiver.answer(webhookPath, (response, before) =>
    response.writeHead(statuses[before] ?? 500).end(),
  );
  await createWebhookEndpoint(sql, webhookSecrets, {
    workspaceId: rig.workspace.id,
    url: receiver.url(webhookPath),
    egressAllow: allowed(receiver),
    now: Date.now(),
  });
  await rig.post();
  const deliveryId = await poll('the delivery', async () => {
    const [row] = await sql<{ id: string }[]>`select id from webhook_deliveries`;
    return row?.id;
  });
  return { workflowId: workflowIds.deliverWebhook(deliveryId) };
}

const allowed = ({ port }: Receiver): string[] => [`127.0.0.1:${port}`];

describe('recording histories', () => {
  for (const [name, run] of Object.entries(recordings))
    it(name, async () => {
      await using receiver = await startReceiver();
      const webhooks = { retryScheduleMs: [0, 50], egressAllow: allowed(receiver) };
      await using rig = await startRig({ webhooks });
      const started = await run(rig, receiver);
      await rig.closed(started);
      const history = await fetchHistory(rig.temporal, started.workflowId);
      await writeFile(new URL(`${name}.json`, folder), `${toJson(history)}\n`);
    });
});
