import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../contracts/errors.ts';
import { uploadCommitRetryAfterSeconds, uploadCommitWaitMs } from '../contracts/limits.ts';
import type { Sql } from '../store/database/connection.ts';
import { getUploadSession } from '../store/deploys/upload-sessions.ts';

/** Pauses between two polls of a running commit. They start short and get longer. */
const firstPauseMs = 20;
const longestPauseMs = 250;

/**
 * Waits until a commit has published its version or has failed. After `uploadCommitWaitMs` it asks the client to call again
 * (REST 4.2).
 *
 * @returns id of the new version
 * @throws ServiceError `commit_in_progress`, or the error of the commit
 */
export async function waitForCommit(
  sql: Sql,
  workspaceId: string,
  uploadSessionId: string,
  commitNo: number,
): Promise<string> {
  const deadline = Date.now() + uploadCommitWaitMs;
  for (
    let pauseMs = firstPauseMs;
    Date.now() < deadline;
    pauseMs = Math.min(2 * pauseMs, longestPauseMs)
  ) {
    const session = await getUploadSession(sql, workspaceId, uploadSessionId);
    // Another commit has started meanwhile: this one failed, and the other one publishes other files.
    if (session.commitNo !== commitNo) break;
    if (session.deployVersionId !== null) return session.deployVersionId;
    const { status, commitError } = session;
    if (status !== 'committing' && commitError)
      throw new ServiceError(commitError.code, commitError.message);
    await sleep(pauseMs);
  }
  throw new ServiceError('commit_in_progress', undefined, {
    retryAfterSeconds: uploadCommitRetryAfterSeconds,
  });
}
