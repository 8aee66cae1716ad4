// Records the histories that replay.test.ts replays, from real runs of today's workflows:
//
//   npm test -- test/workflows/record-histories.ts
//
// Record when a workflow has a new path. A history that does not replay any more after a change is no reason to record it
// again: jobs that run while we release have just such histories. Keep the old file and use `patched()`.
import { writeFile } from 'node:fs/promises';
import { poll } from '../support/poll.ts';
import { fetchHistory, toJson } from './histories.ts';
import { type Rig, startRig } from './rig.ts';

const folder = new URL('../histories/', import.meta.url);

/** One file each: starts a workflow, brings it to its end, and returns its id. */
const recordings: Record<string, (rig: Rig) => Promise<{ readonly workflowId: string }>> = {
  'render-job-succeeded': (rig) => rig.post(),

  'render-job-retried': (rig) => rig.post({ steps: ['storage_fails', 'render_crashed', 'print'] }),

  'render-job-failed': (rig) => rig.post({ steps: ['navigation_timeout'] }),

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
};

describe('recording histories', () => {
  for (const [name, run] of Object.entries(recordings))
    it(name, async () => {
      await using rig = await startRig();
      const started = await run(rig);
      await rig.closed(started);
      const history = await fetchHistory(rig.temporal, started.workflowId);
      await writeFile(new URL(`${name}.json`, folder), `${toJson(history)}\n`);
    });
});
