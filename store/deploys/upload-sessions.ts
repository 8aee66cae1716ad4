import { type ErrorCode, ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { maxSingleFileBytes } from '../../contracts/limits.ts';
import type { PlanPolicy } from '../../contracts/plans.ts';
import type {
  CreateUploadSessionBody,
  UploadSession,
} from '../../contracts/rest/schemas/upload-sessions.ts';
import { type UploadSessionStatus, uploadSessionTransitions } from '../../contracts/states.ts';
import { dayMs } from '../../contracts/units.ts';
import { scheduleBlobDeletions } from '../blobs/blob-deletions.ts';
import { blobKeys } from '../blobs/blob-keys.ts';
import type { Queryable, Sql, Transaction } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { createDeploy, getDeploy } from './deploys.ts';

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
  if (session.status === 'committing') throw new ServiceError('commit_in_progress');
  if (session.status === 'committed') throw new ServiceError('upload_session_closed');
  if (session.status === 'expired' || session.expiresAt <= now)
    throw new ServiceError('upload_session_expired');
}

/** `open → expired`; the rows stay as tombstones, which answer 410. */
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

/** What an ended session listed holds no file any more. `limit` is of files: a session may list 15,000. */
export async function deleteSessionFiles(sql: Queryable, limit: number): Promise<number> {
  const forgotten = await sql`
    delete from upload_session_files where ctid = any(array(
      select f.ctid from upload_session_files f join upload_sessions s on s.id = f.upload_session_id
      where s.status in ('expired', 'committed') limit ${limit}))`;
  return forgotten.count;
}

/** Hashes that the session lists and the workspace does not have yet. */
export const listMissingBlobs = (sql: Queryable, uploadSessionId: string) =>
  sql<{ sha256: string }[]>`
    select distinct f.sha256 from upload_session_files f
    join upload_sessions s on s.id = f.upload_session_id
    left join blobs b on b.workspace_id = s.workspace_id and b.sha256 = f.sha256
    where f.upload_session_id = ${uploadSessionId} and b.sha256 is null
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
  uploadSessionId: string,
  sha256: string,
): Promise<ListedBlob> {
  const [row] = await sql<ListedBlob[]>`
    select f.size, f.mime, b.sha256 is not null as present from upload_session_files f
    join upload_sessions s on s.id = f.upload_session_id
    left join blobs b on b.workspace_id = s.workspace_id and b.sha256 = f.sha256
    where f.upload_session_id = ${uploadSessionId} and f.sha256 = ${sha256} limit 1`;
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

export const deleteBlobRow = (sql: Queryable, workspaceId: string, sha256: string) =>
  sql`delete from blobs where workspace_id = ${workspaceId} and sha256 = ${sha256}`;

/** An unreferenced file is kept longer than an upload session or a render can last. */
const unreferencedFileMs = dayMs;

/** A file that a version needs is looked at again after this long; purging the version has it looked at next. */
const lookAgainMs = 7 * dayMs;

/** Gives up files that no version is made of and no session lists, of the next `limit` that were not looked at for long. */
export const deleteUnreferencedFiles = (sql: Sql, now: number, limit: number): Promise<number> =>
  inTransaction(sql, async (tx) => {
    const given = await tx<{ workspaceId: string; sha256: string }[]>`
      with looked_at as (
        select b.workspace_id, b.sha256, exists (
          select from deploy_version_files f join deploy_versions v on v.id = f.deploy_version_id
          where f.sha256 = b.sha256 and v.workspace_id = b.workspace_id) as needed
        from blobs b
        where b.looked_at <= ${now - lookAgainMs} and b.created_at < ${now - unreferencedFileMs}
        order by b.looked_at limit ${limit} for update skip locked
      ), kept as (
        update blobs b set looked_at = ${now} from looked_at l
        where l.needed and b.workspace_id = l.workspace_id and b.sha256 = l.sha256
      )
      delete from blobs b using looked_at l
      where not l.needed and b.workspace_id = l.workspace_id and b.sha256 = l.sha256
        and not exists (
          select from upload_session_files f join upload_sessions s on s.id = f.upload_session_id
          where f.sha256 = b.sha256 and s.workspace_id = b.workspace_id and s.status in ('open', 'committing'))
      returning b.workspace_id, b.sha256`;
    const keys = given.map(({ workspaceId, sha256 }) => blobKeys.file(workspaceId, sha256));
    await scheduleBlobDeletions(tx, keys, now);
    return given.length;
  });

const sumOfSizes = (files: readonly { size: number }[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);

/** A commit's limits of the plan hold from the upload on: what could not be committed need not be sent. */
export function assertWithinPlan(
  code: 'upload_session_policy_limit_exceeded' | 'deploy_commit_policy_limit_exceeded',
  files: readonly { size: number }[],
  policy: PlanPolicy,
): void {
  const limits = [
    [files.length, policy.maxFilesPerDeployCommit, 'files'],
    [sumOfSizes(files), policy.maxBytesPerDeployCommit, 'bytes'],
  ] as const;
  for (const [given, allowed, what] of limits)
    if (given > allowed)
      throw new ServiceError(
        code,
        `There are ${given} ${what}; the plan allows ${allowed} in one commit: send less or change the plan.`,
      );
}
