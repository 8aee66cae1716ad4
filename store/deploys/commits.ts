import { createHash } from 'node:crypto';
import { type ErrorCode, ServiceError } from '../../contracts/errors.ts';
import { canonicalJson } from '../../contracts/json.ts';
import { uploadCommitReplayMs } from '../../contracts/limits.ts';
import type { PlanPolicy } from '../../contracts/plans.ts';
import { type CommitUploadInput, workflowIds } from '../../contracts/processes/workflows.ts';
import type { CommitBody, CommitEntry } from '../../contracts/rest/schemas/commits.ts';
import { uploadSessionTransitions } from '../../contracts/states.ts';
import { clausesFor } from '../database/clauses.ts';
import type { Queryable, Sql, Transaction } from '../database/connection.ts';
import { enqueue, type OutboxMessage } from '../database/outbox.ts';
import { inTransaction } from '../database/transactions.ts';
import { assertDeployCommitLeft } from '../usage/quotas.ts';
import { assertStorageLeft } from '../usage/storage-usage.ts';
import { getDeploy } from './deploys.ts';
import {
  assertOpen,
  assertWithinPlan,
  getUploadSession,
  type UploadSessionState,
} from './upload-sessions.ts';

interface BeginCommitInput {
  readonly workspaceId: string;
  readonly policy: PlanPolicy;
  readonly uploadSessionId: string;
  readonly body: CommitBody;
  readonly requestId: string;
  readonly now: number;
}

/**
 * Starts a commit (REST 4.2). One transaction swaps `open → committing`, stores the entries and enqueues the start of the
 * workflow. If the same commit is already running or was published lately, its number is returned. If the commit is refused, the
 * session's lifetime starts again.
 *
 * @returns the number of the commit to wait for
 * @throws ServiceError `upload_session_not_found` | `upload_session_expired` | `upload_session_closed` |
 *   `commit_in_progress` | `invalid_request` | `upload_incomplete` | `blob_not_in_session` |
 *   `deploy_commit_policy_limit_exceeded` | `deploy_commit_quota_exceeded` | `storage_limit_exceeded` | `deploy_not_found`
 */
export async function beginCommit(sql: Sql, input: BeginCommitInput): Promise<number> {
  try {
    return await inTransaction(sql, (tx) => startCommit(tx, input));
  } catch (error) {
    if (error instanceof ServiceError) await extendSession(sql, input);
    throw error;
  }
}

async function startCommit(tx: Transaction, input: BeginCommitInput): Promise<number> {
  const { body, uploadSessionId, workspaceId, requestId } = input;
  assertWithinPlan('deploy_commit_policy_limit_exceeded', body.entries, input.policy);
  const started = await swapToCommitting(tx, input);
  if ('existingCommitNo' in started) return started.existingCommitNo;
  const { commitNo, deployId } = started;
  await assertDeployCommitLeft(tx, input);
  await assertStorageLeft(tx, workspaceId, input.policy.storageLimitBytes);
  const { slug } = await getDeploy(tx, workspaceId, deployId);
  await assertUploaded(tx, uploadSessionId, body);
  const { title } = body.render;
  const commit = { uploadSessionId, commitNo, workspaceId, deployId, slug, title, requestId };
  const workflowId = workflowIds.commitUpload(uploadSessionId, commitNo);
  await enqueue(tx, { workspaceId, workflowId, message: toCommitStartMessage(commit) });
  return commitNo;
}

/**
 * Starts the session's lifetime again, so that the client has time to correct the refused commit. `reopenSession` does the
 * same.
 */
const extendSession = (sql: Sql, { uploadSessionId, now }: BeginCommitInput) =>
  sql`
    update upload_sessions set expires_at = greatest(expires_at, ${now} + lifetime_ms)
    where id = ${uploadSessionId} and status = 'open' and expires_at > ${now}`;

/** `open → committing`. If the same commit is already running or was published lately, its number is returned. */
async function swapToCommitting(
  tx: Transaction,
  { workspaceId, uploadSessionId, body, requestId, now }: BeginCommitInput,
): Promise<
  { readonly commitNo: number; readonly deployId: string } | { readonly existingCommitNo: number }
> {
  const commitHash = createHash('sha256').update(canonicalJson(body)).digest('hex');
  const { from, to } = uploadSessionTransitions.beginCommit;
  for (;;) {
    const [swapped] = await tx<{ commitNo: number; deployId: string }[]>`
      update upload_sessions
      set status = ${to}, commit_no = commit_no + 1, commit_hash = ${commitHash}, commit_error = null, commit_request_id = ${requestId},
        commit_body = ${tx.json(body as never)}
      where id = ${uploadSessionId} and status in ${tx(from)} and expires_at > ${now}
      returning commit_no, deploy_id`;
    if (swapped) return swapped;
    const session = await getUploadSession(tx, workspaceId, uploadSessionId);
    if (isSameCommit(session, commitHash, now)) return { existingCommitNo: session.commitNo };
    // If the session is open, it was opened again after the swap failed. The next swap succeeds.
    assertOpen(session, now);
  }
}

/** The input of a commit's workflow, and what Temporal shows about it. */
export interface CommitStart {
  readonly uploadSessionId: string;
  readonly commitNo: number;
  readonly workspaceId: string;
  readonly deployId: string;
  readonly slug: string;
  readonly title: string;
  readonly requestId: string;
}

/** Creates the message that starts a commit's workflow. Reconciliation may create it again. */
export function toCommitStartMessage(commit: CommitStart): OutboxMessage {
  const { uploadSessionId, workspaceId, commitNo, deployId, slug, title, requestId } = commit;
  const input: CommitUploadInput = { uploadSessionId, workspaceId, commitNo };
  return {
    kind: 'start',
    workflowType: 'commitUpload',
    input,
    summary: `Commit to ${slug}`,
    memo: { slug, title, requestId },
    searchAttributes: { workspaceId, deployId },
  };
}

/** True if this commit is the session's current one, and it is running or was published recently enough to be answered again. */
function isSameCommit(session: UploadSessionState, commitHash: string, now: number): boolean {
  if (session.commitHash !== commitHash) return false;
  if (session.status === 'committing') return true;
  const { status, committedAt } = session;
  return status === 'committed' && committedAt !== null && now < committedAt + uploadCommitReplayMs;
}

/** Checks that the session lists each entry with the same size, and that the bytes of each entry were uploaded. */
async function assertUploaded(
  tx: Transaction,
  uploadSessionId: string,
  body: CommitBody,
): Promise<void> {
  const problems = await tx<{ path: string; listed: boolean; sizeMatches: boolean }[]>`
    select e.path, f.sha256 is not null as listed, coalesce(f.size = e.size, false) as size_matches
    from jsonb_to_recordset(${tx.json(body.entries as never)}) as e(path text, "blobHash" text, size bigint)
    join upload_sessions s on s.id = ${uploadSessionId}
    left join lateral (
      select sha256, size from upload_session_files
      where upload_session_id = s.id and sha256 = e."blobHash" limit 1) f on true
    left join blobs b on b.workspace_id = s.workspace_id and b.sha256 = e."blobHash"
    where f.sha256 is null or f.size <> e.size or b.sha256 is null
    limit 1`;
  const [problem] = problems;
  if (!problem) return;
  const entry = JSON.stringify(problem.path);
  if (!problem.listed)
    throw new ServiceError(
      'blob_not_in_session',
      `The session does not list the blobHash of entry ${entry}.`,
    );
  if (!problem.sizeMatches)
    throw new ServiceError(
      'invalid_request',
      `The size of entry ${entry} is not the one that the session lists.`,
    );
  throw new ServiceError('upload_incomplete');
}

/**
 * Lists the entries of a session's running commit; none if that commit has ended or has another number than `commitNo`.
 * Activities read them here, so that they are in no workflow history.
 */
export async function getCommitEntries(
  sql: Queryable,
  uploadSessionId: string,
  commitNo?: number,
): Promise<readonly CommitEntry[]> {
  const [row] = await sql<{ commitBody: CommitBody }[]>`
    select commit_body from upload_sessions
    where id = ${uploadSessionId} and status = 'committing' ${ofCommit(sql, commitNo)}`;
  return row?.commitBody.entries ?? [];
}

/**
 * Opens the session again after a commit failed, and stores the error for the request that waits. The session's lifetime
 * starts again, because the client has to correct the error and the commit may have used up the time.
 */
export async function reopenSession(
  sql: Queryable,
  input: {
    uploadSessionId: string;
    commitNo?: number | undefined;
    error: { code: ErrorCode; message: string };
    now: number;
  },
): Promise<void> {
  const { from, to } = uploadSessionTransitions.reopen;
  await sql`
    update upload_sessions set status = ${to}, commit_error = ${sql.json(input.error)}, commit_body = null,
      expires_at = greatest(expires_at, ${input.now} + lifetime_ms)
    where id = ${input.uploadSessionId} and status in ${sql(from)} ${ofCommit(sql, input.commitNo)}`;
}

/** Limits a statement to one commit if its number is known, so that a late step does not change the next commit. */
const ofCommit = (sql: Queryable, commitNo: number | undefined) =>
  clausesFor(sql)(commitNo, (no) => sql`and commit_no = ${no}`);
