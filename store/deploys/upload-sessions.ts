import { type ErrorCode, ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { maxSingleFileBytes } from '../../contracts/limits.ts';
import type { PlanPolicy } from '../../contracts/plans.ts';
import type {
  CreateUploadSessionBody,
  UploadSession,
} from '../../contracts/rest/schemas/upload-sessions.ts';
import { type UploadSessionStatus, uploadSessionTransitions } from '../../contracts/states.ts';
import type { Queryable, Transaction } from '../database/connection.ts';
import { createDeploy, getDeploy } from './deploys.ts';

/** A session as it is stored; its token is derived from its id. */
export type StoredUploadSession = Omit<UploadSession, 'uploadToken'>;

/**
 * Opens an upload session (REST 4.2), and creates its deploy if requested.
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
  const tooLarge = body.files.find(({ size }) => size > maxSingleFileBytes);
  if (tooLarge)
    throw new ServiceError(
      'upload_session_policy_limit_exceeded',
      `The file ${JSON.stringify(tooLarge.path)} has ${tooLarge.size} bytes; a file may have ${maxSingleFileBytes}: make it smaller.`,
    );
  const requestedBytes = sumOfSizes(body.files);
  assertWithinPlan('upload_session_policy_limit_exceeded', body.files, policy);

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
  const { temporaryRender } = body;
  await tx`
    insert into upload_sessions ${tx({ ...row, workspaceId, temporaryRender, lifetimeMs: input.ttlMs })}`;
  await tx`
    insert into upload_session_files (upload_session_id, path, sha256, size, mime)
    select ${row.id}, path, sha256, size, mime
    from jsonb_to_recordset(${tx.json(body.files as never)}) as f(path text, sha256 text, size bigint, mime text)`;
  return row;
}

/** The columns of a session that its routes need. */
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
 * Checks that a session is open: it has not expired, is not being committed and was not committed.
 *
 * @throws ServiceError `upload_session_expired` | `commit_in_progress` | `upload_session_closed`
 */
export function assertOpen(session: UploadSessionState, now: number): void {
  if (session.status === 'committing') throw new ServiceError('commit_in_progress');
  if (session.status === 'committed') throw new ServiceError('upload_session_closed');
  if (session.status === 'expired' || session.expiresAt <= now)
    throw new ServiceError('upload_session_expired');
}

/** `open → expired`, at most `limit`. The rows stay, so that requests for the session are answered with 410. */
export async function expireUploadSessions(
  sql: Queryable,
  now: number,
  limit: number,
): Promise<number> {
  const { from, to } = uploadSessionTransitions.expire;
  const expired = await sql`
    update upload_sessions set status = ${to}
    where id in (
      select id from upload_sessions where status in ${sql(from)} and expires_at <= ${now}
      limit ${limit} for update skip locked)
    returning 1`;
  return expired.length;
}

const sumOfSizes = (files: readonly { size: number }[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);

/** Checks the plan's limits of a commit. They already apply to the upload, so that nobody sends files that cannot be committed. */
export function assertWithinPlan(
  code: 'upload_session_policy_limit_exceeded' | 'deploy_commit_policy_limit_exceeded',
  files: readonly { size: number }[],
  policy: PlanPolicy,
): void {
  const limits = [
    [files.length, policy.maxFilesPerDeployCommit, 'files'],
    [sumOfSizes(files), policy.maxBytesPerDeployCommit, 'bytes'],
  ] as const;
  for (const [requested, allowed, unit] of limits)
    if (requested > allowed)
      throw new ServiceError(
        code,
        `There are ${requested} ${unit}; the plan allows ${allowed} in one commit: send less or change the plan.`,
      );
}
