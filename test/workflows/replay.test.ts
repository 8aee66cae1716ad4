import { readdirSync, readFileSync } from 'node:fs';
import { Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { expect } from 'chai';
import { fromJson, type History } from './histories.ts';
import { bundleWorkflows, installRuntime } from './workers.ts';

const folder = new URL('../histories/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (name: string): History => fromJson(readFileSync(new URL(name, folder), 'utf8'));

/** Jobs that run while we release go on in the new code: it must take the same way through what they have done. */
describe("replaying recorded histories in today's workflows", () => {
  let workflowBundle: WorkflowBundleWithSourceMap;
  before(async () => {
    installRuntime();
    workflowBundle = await bundleWorkflows();
  });

  const replay = (history: History): Promise<void> =>
    Worker.runReplayHistory({ workflowBundle }, history);

  it('has histories of every workflow', () => {
    expect(names.some((name) => name.startsWith('render-job-'))).to.equal(true);
    expect(names.some((name) => name.startsWith('commit-upload-'))).to.equal(true);
    expect(names.some((name) => name.startsWith('deliver-webhook-'))).to.equal(true);
  });

  for (const name of names) it(`goes the same way: ${name}`, () => replay(read(name)));

  for (const name of names)
    it(`would find out another way: ${name}`, async () => {
      const failure = await replay(withAnotherActivity(read(name))).catch(
        (error: unknown) => error,
      );
      expect(failure).to.be.instanceOf(DeterminismViolationError);
    });
});

/** The history as code would have made it that called another activity first. */
function withAnotherActivity(history: History): History {
  const scheduled = history.events?.find((event) => event.activityTaskScheduledEventAttributes);
  if (!scheduled?.activityTaskScheduledEventAttributes) throw new Error('No activity to replace.');
  scheduled.activityTaskScheduledEventAttributes.activityType = { name: 'anotherActivity' };
  return history;
}
