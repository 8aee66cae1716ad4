import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

/** Instead of 6 s: five lost workers in a row are noticed in 5 s. Long enough for an activity that does print. */
const heartbeatTimeout = '1s';

/** Runs inside the workflow, around today's code. */
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
