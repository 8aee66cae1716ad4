import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../contracts/errors.ts';
import { commitRetryAfterSeconds, commitWaitMs } from '../contracts/limits.ts';
import type { Sql } from '../store/database/connection.ts';
import { getUploadSession } from '../store/deploys/upload-sessions.ts';

/** Between the looks at a commit that runs: soon at first, then less often. */
const firstLookMs = 20;
const longestLookMs = 250;

/**
 * Waits for a commit's workflow; a request that waits too long asks its client to call again (REST 4.2).
 *
 * @returns id of the version
 * @throws ServiceError `commit_in_progress`, or what the commit was refused for
 */
export async function waitForCommit(
  sql: Sql,
  workspaceId: string,
  id: string,
  commitNo: number,
): Promise<string> {
  const deadline = Date.now() + commitWaitMs;
  for (
    let pauseMs = firstLookMs;
    Date.now() < deadline;
    pauseMs = Math.min(2 * pauseMs, longestLookMs)
  ) {
    const session = await getUploadSession(sql, workspaceId, id);
    // Another commit has begun since: this one failed, and what is published now is not what it asked for.
    if (session.commitNo !== commitNo) break;
    if (session.deployVersionId !== null) return session.deployVersionId;
    const { status, commitError } = session;
    if (status !== 'committing' && commitError)
      throw new ServiceError(commitError.code, commitError.message);
    await sleep(pauseMs);
  }
  throw new ServiceError('commit_in_progress', undefined, {
    retryAfterSeconds: commitRetryAfterSeconds,
  });
}
