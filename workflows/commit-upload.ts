import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { ControlActivities } from '../activities/activities.ts';
import { type ErrorCode, errors } from '../contracts/errors.ts';
import {
  type CommitUploadInput,
  infrastructureFailure,
  taskQueues,
} from '../contracts/processes/workflows.ts';

const { publishVersion, reopenSession } = proxyActivities<ControlActivities>({
  taskQueue: taskQueues.control,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

const { buildRenderPack } = proxyActivities<ControlActivities>({
  taskQueue: taskQueues.control,
  // Reading 15,000 files takes about a minute, and longer when the storage is slow.
  startToCloseTimeout: '15m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/**
 * Makes an immutable version of uploaded files (REST 4.2): packs the files for the renderer, then publishes the version in one
 * transaction. If that fails, it opens the upload session again and fails with the error's code.
 */
export async function commitUpload(input: CommitUploadInput): Promise<{ deployVersionId: string }> {
  const { uploadSessionId, commitNo } = input;
  try {
    const renderPackage = await buildRenderPack.executeWithOptions({ summary: 'Pack the files' }, [
      input,
    ]);
    const deployVersionId = await publishVersion.executeWithOptions(
      { summary: 'Publish the version' },
      [{ uploadSessionId, commitNo, renderPackage }],
    );
    return { deployVersionId };
  } catch (error) {
    const code = codeOf(error);
    await CancellationScope.nonCancellable(() =>
      reopenSession.executeWithOptions({ summary: `Open the session again: ${code}` }, [
        { uploadSessionId, commitNo, code },
      ]),
    );
    if (isCancellation(error)) throw error;
    throw ApplicationFailure.nonRetryable(errors[code].message, code);
  }
}

/** Returns the error code with which the API answers the waiting request. */
function codeOf(error: unknown): ErrorCode {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return type && type !== infrastructureFailure && type in errors
    ? (type as ErrorCode)
    : 'service_unavailable';
}
