import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

/** It replaces the 6 s of production, so that a test with five lost workers takes 5 s. It is long enough for an activity that prints. */
const heartbeatTimeout = '1s';

/** Runs inside the workflow, around its real code. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  outbound: [
    {
      scheduleActivity: (input, next) =>
        next(
          input.activityType === 'renderDocument'
            ? { ...input, options: { ...input.options, heartbeatTimeout } }
            : input,
        ),
    },
  ],
});
