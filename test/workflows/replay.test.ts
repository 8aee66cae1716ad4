import { readdirSync, readFileSync } from 'node:fs';
import { Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { expect } from 'chai';
import { workflowTypes } from '../../contracts/processes/workflows.ts';
import * as workflows from '../../workflows/workflows.ts';
import { fromJson, type History } from './histories.ts';
import { bundleWorkflows, installRuntime } from './workers.ts';

const folder = new URL('../histories/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (name: string): History => fromJson(readFileSync(new URL(name, folder), 'utf8'));

const typeOf = ({ events }: History): string | null | undefined =>
  events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name;

/** Jobs that run during a release continue in the new code: it must repeat the commands of their histories. */
describe("replaying recorded histories in today's workflows", () => {
  let workflowBundle: WorkflowBundleWithSourceMap;
  before(async () => {
    installRuntime();
    workflowBundle = await bundleWorkflows();
  });

  const replay = (history: History): Promise<void> =>
    Worker.runReplayHistory({ workflowBundle }, history);

  it('has a workflow function and a history of each workflow type', () => {
    const types = Object.keys(workflowTypes);
    expect(Object.keys(workflows)).to.have.members(types);
    expect(new Set(names.map((name) => typeOf(read(name))))).to.have.all.keys(types);
  });

  for (const name of names) it(`repeats the commands of ${name}`, () => replay(read(name)));

  for (const name of names)
    it(`would detect another command in ${name}`, async () => {
      const failure = await replay(withAnotherActivity(read(name))).catch(
        (error: unknown) => error,
      );
      expect(failure).to.be.instanceOf(DeterminismViolationError);
    });
});

/** The same history, as if another activity had been called first. */
function withAnotherActivity(history: History): History {
  const scheduled = history.events?.find((event) => event.activityTaskScheduledEventAttributes);
  if (!scheduled?.activityTaskScheduledEventAttributes) throw new Error('No activity to replace.');
  scheduled.activityTaskScheduledEventAttributes.activityType = { name: 'anotherActivity' };
  return history;
}
