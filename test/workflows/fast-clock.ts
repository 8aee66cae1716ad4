import { type WorkflowInterceptorsFactory, workflowInfo } from '@temporalio/workflow';

/** A day in the workflow takes 3.6 s. */
const speed = 24_000;

const WorkflowDate = Date;

/** A faster clock for workflows. The SDK's clock stands still while workflow code runs, and so does this one. */
class FastDate extends WorkflowDate {
  static override now(): number {
    const startedAt = workflowInfo().runStartTime.getTime();
    return startedAt + speed * (WorkflowDate.now() - startedAt);
  }
}

/** Runs inside the workflow, around its real code. Time passes 24,000 times as fast. */
export const interceptors: WorkflowInterceptorsFactory = () => {
  globalThis.Date = FastDate as DateConstructor;
  return {
    outbound: [
      {
        startTimer: (input, next) =>
          next({ ...input, durationMs: Math.ceil(input.durationMs / speed) }),
      },
    ],
  };
};
