import { createHash } from 'node:crypto';
import { type ErrorCode, ServiceError } from '../contracts/errors.ts';
import { newId } from '../contracts/ids.ts';
import { canonicalJson } from '../contracts/json.ts';
import { commitReplayMs } from '../contracts/limits.ts';
import type { PlanPolicy } from '../contracts/plans.ts';
import type {
  CommitBody,
  CommitEntry,
  CreateUploadSessionBody,
  UploadSession,
} from '../contracts/schemas/upload-sessions.ts';
import { type UploadSessionStatus, uploadSessionTransitions } from '../contracts/states.ts';
import { type CommitUploadInput, workflowIds } from '../contracts/workflows.ts';
import type { Queryable, Sql, Transaction } from './database.ts';
import { createDeploy, getDeploy } from './deploys.ts';
import { enqueue, type OutboxMessage } from './outbox.ts';

/** A session as it is stored; its token is derived from its id. */
export type StoredUploadSession = Omit<UploadSession, 'uploadToken'>;

/**
 * Opens an upload session, and creates its deploy where asked (REST 4.2).
 *
 * @throws ServiceError `upload_session_policy_limit_exceeded` | `deploy_not_found` | `deploy_type_conflict` | `deploy_slug_conflict`
 */
export async function createUploadSession(
  tx: Transaction,
  input: {
    workspaceId: string;
    policy: PlanPolicy;
    body: CreateUploadSessionBody;
    ttlMs: number;
    now: number;
  },
): Promise<StoredUploadSession> {
  const { body, policy, workspaceId, now } = input;
  const requestedBytes = body.files.reduce((sum, { size }) => sum + size, 0);
  const limits = [
    [body.files.length, policy.maxFilesPerDeployCommit, 'files'],
    [requestedBytes, policy.maxBytesPerDeployCommit, 'bytes'],
  ] as const;
  for (const [given, allowed, what] of limits)
    if (given > allowed)
      throw new ServiceError(
        'upload_session_policy_limit_exceeded',
        `The upload lists ${given} ${what}; the plan allows ${allowed} in one commit: upload less or change the plan.`,
      );

  const deploy = body.createDeploy
    ? await createDeploy(tx, {
        ...body.createDeploy,
        workspaceId,
        type: 'managed',
        temporary: body.temporaryRender,
        now,
      })
    : await getDeploy(tx, workspaceId, body.deployId ?? '');
  if (deploy.type === 'url')
    throw new ServiceError(
      'deploy_type_conflict',
      'A url deploy has no versions: upload to a managed deploy.',
    );

  const row = {
    id: newId('uploadSession'),
    deployId: deploy.id,
    status: 'open' as const,
    requestedFileCount: body.files.length,
    requestedBytes,
    createdAt: now,
    expiresAt: now + input.ttlMs,
  };
  await tx`insert into upload_sessions ${tx({ ...row, workspaceId, temporaryRender: body.temporaryRender })}`;
  await tx`
    insert into upload_session_files (upload_session_id, path, sha256, size, mime)
    select ${row.id}, path, sha256, size, mime
    from jsonb_to_recordset(${tx.json(body.files as never)}) as f(path text, sha256 text, size bigint, mime text)`;
  return row;
}

/** What the routes of a session need to know of it. */
export interface UploadSessionState {
  readonly id: string;
  readonly status: UploadSessionStatus;
  readonly expiresAt: number;
  readonly commitNo: number;
  readonly commitHash: string | null;
  readonly commitError: { readonly code: ErrorCode; readonly message: string } | null;
  readonly committedAt: number | null;
  readonly deployVersionId: string | null;
}

/** @throws ServiceError `upload_session_not_found` */
export async function getUploadSession(
  sql: Queryable,
  workspaceId: string,
  id: string,
): Promise<UploadSessionState> {
  const [row] = await sql<UploadSessionState[]>`
    select id, status, expires_at, commit_no, commit_hash, commit_error, committed_at, deploy_version_id
    from upload_sessions where id = ${id} and workspace_id = ${workspaceId}`;
  if (!row) throw new ServiceError('upload_session_not_found');
  return row;
}

/**
 * Passes when files may still be uploaded.
 *
 * @throws ServiceError `upload_session_expired` | `commit_in_progress` | `upload_session_closed`
 */
export function assertOpen(session: UploadSessionState, now: number): void {
  if (session.status === 'committing')
    throw new ServiceError('commit_in_progress', undefined, { retryAfterSeconds: 1 });
  if (session.status === 'committed') throw new ServiceError('upload_session_closed');
  if (session.status === 'expired' || session.expiresAt <= now)
    throw new ServiceError('upload_session_expired');
}

/** Hashes that the session lists and the workspace does not have yet. */
export const listMissingBlobs = (sql: Queryable, sessionId: string) =>
  sql<{ sha256: string }[]>`
    select distinct f.sha256 from upload_session_files f
    join upload_sessions s on s.id = f.upload_session_id
    left join blobs b on b.workspace_id = s.workspace_id and b.sha256 = f.sha256
    where f.upload_session_id = ${sessionId} and b.sha256 is null
    order by f.sha256`;

export interface ListedBlob {
  readonly size: number;
  readonly mime: string | null;
  /** The workspace has it already. */
  readonly present: boolean;
}

/** @throws ServiceError `blob_not_in_session` */
export async function getListedBlob(
  sql: Queryable,
  sessionId: string,
  sha256: string,
): Promise<ListedBlob> {
  const [row] = await sql<ListedBlob[]>`
    select f.size, f.mime, b.sha256 is not null as present from upload_session_files f
    join upload_sessions s on s.id = f.upload_session_id
    left join blobs b on b.workspace_id = s.workspace_id and b.sha256 = f.sha256
    where f.upload_session_id = ${sessionId} and f.sha256 = ${sha256} limit 1`;
  if (!row) throw new ServiceError('blob_not_in_session');
  return row;
}

export const recordBlob = (
  sql: Queryable,
  blob: {
    workspaceId: string;
    sha256: string;
    size: number;
    mime: string | null;
    createdAt: number;
  },
) => sql`insert into blobs ${sql(blob)} on conflict do nothing`;

/**
 * Swaps `open → committing`, stores what is to be committed, and owes the workflow's start to the outbox, in one
 * transaction (REST 4.2). The same commit again finds the one that runs or ran.
 *
 * @returns the number of the commit to wait for
 * @throws ServiceError `upload_session_expired` | `upload_session_closed` | `commit_in_progress` | `upload_incomplete` |
 *   `blob_not_in_session` | `deploy_commit_policy_limit_exceeded` | `deploy_not_found`
 */
export async function beginCommit(
  sql: Sql,
  input: {
    workspaceId: string;
    policy: PlanPolicy;
    sessionId: string;
    body: CommitBody;
    requestId: string;
    now: number;
  },
): Promise<number> {
  const { body, sessionId, workspaceId, now } = input;
  assertWithinPlan(body, input.policy);
  const commitHash = createHash('sha256').update(canonicalJson(body)).digest('hex');
  return (await sql.begin(async (tx) => {
    const { from, to } = uploadSessionTransitions.beginCommit;
    const [begun] = await tx<{ commitNo: number; deployId: string }[]>`
      update upload_sessions
      set status = ${to}, commit_no = commit_no + 1, commit_hash = ${commitHash}, commit_error = null, commit_request_id = ${input.requestId},
        commit_body = ${tx.json(body as never)}
      where id = ${sessionId} and status = any(${from as never}) and expires_at > ${now}
      returning commit_no, deploy_id`;
    if (!begun)
      return joinCommit(await getUploadSession(tx, workspaceId, sessionId), commitHash, now);
    const { slug } = await getDeploy(tx, workspaceId, begun.deployId);
    await assertUploaded(tx, sessionId, body);
    const start = commitStartMessage({
      uploadSessionId: sessionId,
      workspaceId,
      deployId: begun.deployId,
      slug,
      title: body.render.title,
      requestId: input.requestId,
    });
    await enqueue(tx, workflowIds.commitUpload(sessionId, begun.commitNo), start);
    return begun.commitNo;
  })) as number;
}

/** The message that starts a commit's workflow; also made again by reconciliation. */
export function commitStartMessage(commit: {
  uploadSessionId: string;
  workspaceId: string;
  deployId: string;
  slug: string;
  title: string;
  requestId: string;
}): OutboxMessage {
  const { uploadSessionId, workspaceId, deployId, slug, title, requestId } = commit;
  const input: CommitUploadInput = { uploadSessionId, workspaceId };
  return {
    kind: 'start',
    workflowType: 'commitUpload',
    input,
    summary: `Commit to ${slug}`,
    memo: { slug, title, requestId },
    searchAttributes: { workspaceId, deployId },
  };
}

/** The session is not open: the same commit waits for the one that runs, or gets its version. */
function joinCommit(session: UploadSessionState, commitHash: string, now: number): number {
  const same = session.commitHash === commitHash;
  const replayable = session.committedAt === null || now < session.committedAt + commitReplayMs;
  if (session.status === 'committing' && !same)
    throw new ServiceError('commit_in_progress', undefined, { retryAfterSeconds: 1 });
  if (session.status !== 'committing' && !(session.status === 'committed' && same && replayable)) {
    assertOpen(session, now);
    throw new ServiceError('upload_session_expired');
  }
  return session.commitNo;
}

function assertWithinPlan(body: CommitBody, policy: PlanPolicy): void {
  const bytes = body.entries.reduce((sum, { size }) => sum + size, 0);
  const limits = [
    [body.entries.length, policy.maxFilesPerDeployCommit, 'files'],
    [bytes, policy.maxBytesPerDeployCommit, 'bytes'],
  ] as const;
  for (const [given, allowed, what] of limits)
    if (given > allowed)
      throw new ServiceError(
        'deploy_commit_policy_limit_exceeded',
        `The commit has ${given} ${what}; the plan allows ${allowed}: commit less or change the plan.`,
      );
}

/** Each entry is listed by the session with that size, and its bytes are there. */
async function assertUploaded(tx: Transaction, sessionId: string, body: CommitBody): Promise<void> {
  const problems = await tx<{ path: string; listed: boolean; sizeMatches: boolean }[]>`
    select e.path, f.sha256 is not null as listed, coalesce(f.size = e.size, false) as size_matches
    from jsonb_to_recordset(${tx.json(body.entries as never)}) as e(path text, "blobHash" text, size bigint)
    join upload_sessions s on s.id = ${sessionId}
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

/** Entries of the commit that a session is at. They are read by activities and never pass through a history. */
export async function getCommitEntries(
  sql: Queryable,
  sessionId: string,
): Promise<readonly CommitEntry[]> {
  const [row] = await sql<{ commitBody: CommitBody }[]>`
    select commit_body from upload_sessions where id = ${sessionId} and status = 'committing'`;
  return row?.commitBody.entries ?? [];
}

/** Opens the session again after a commit that failed, and says why, for the request that waits. */
export async function reopenSession(
  sql: Queryable,
  input: { sessionId: string; error: { code: ErrorCode; message: string } },
): Promise<void> {
  const { from, to } = uploadSessionTransitions.reopen;
  await sql`
    update upload_sessions set status = ${to}, commit_error = ${sql.json(input.error)}, commit_body = null
    where id = ${input.sessionId} and status = any(${from as never})`;
}
