import { readdirSync, readFileSync } from 'node:fs';
import { Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { expect } from 'chai';
import { workflowTypes } from '../../contracts/processes/workflows.ts';
import { fromJson, type History } from './histories.ts';
import { bundleWorkflows, installRuntime } from './workers.ts';

const folder = new URL('../histories/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (name: string): History => fromJson(readFileSync(new URL(name, folder), 'utf8'));

/** Workflows that run while we release continue in the new code. It must make the same decisions for the steps that they have done. */
describe('replaying recorded histories in the current workflows', () => {
  let workflowBundle: WorkflowBundleWithSourceMap;
  before(async () => {
    installRuntime();
    workflowBundle = await bundleWorkflows();
  });

  const replay = (history: History): Promise<void> =>
    Worker.runReplayHistory({ workflowBundle }, history);

  const recordedTypes = names.map((name) => workflowTypeOf(read(name)));
  for (const type of Object.values(workflowTypes))
    it(`has a recorded history of the workflow ${type}`, () => {
      expect(recordedTypes, 'record one with test/workflows/record-histories.ts').to.include(type);
    });

  for (const name of names) it(`makes the same decisions: ${name}`, () => replay(read(name)));

  for (const name of names)
    it(`would notice another decision: ${name}`, async () => {
      const failure = await replay(withAnotherActivity(read(name))).catch(
        (error: unknown) => error,
      );
      expect(failure).to.be.instanceOf(DeterminismViolationError);
    });
});

function workflowTypeOf({ events }: History): string | null | undefined {
  return events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name;
}

/** The history as if the workflow had called another activity first. */
function withAnotherActivity(history: History): History {
  const scheduled = history.events?.find((event) => event.activityTaskScheduledEventAttributes);
  if (!scheduled?.activityTaskScheduledEventAttributes) throw new Error('No activity to replace.');
  scheduled.activityTaskScheduledEventAttributes.activityType = { name: 'anotherActivity' };
  return history;
}
