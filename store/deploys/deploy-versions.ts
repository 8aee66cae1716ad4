import type { VersionFile } from '../../contracts/admin/versions.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { type PlanCatalogue, policyOf } from '../../contracts/plans.ts';
import type { CommitBody, ExplicitPrintOptions } from '../../contracts/rest/schemas/commits.ts';
import type { DeployVersion, DeployVersionWarning } from '../../contracts/rest/schemas/versions.ts';
import { uploadSessionTransitions } from '../../contracts/states.ts';
import { dayMs } from '../../contracts/units.ts';
import { cancelBlobDeletion, scheduleBlobDeletions } from '../blobs/blob-deletions.ts';
import type { Queryable, Sql, Transaction } from '../database/connection.ts';
import {
  type Cursors,
  newestFirst,
  type Page,
  type PageRequest,
  readPage,
} from '../database/cursors.ts';
import { omitNulls } from '../database/rows.ts';
import { inTransaction } from '../database/transactions.ts';
import { debitDeployCommit } from '../usage/quotas.ts';
import { addStorage, releaseStorage } from '../usage/storage-usage.ts';
import { lockWorkspace } from '../workspaces/workspaces.ts';
import { mimeOf } from './file-types.ts';
import { selectPrint, toVersionPrint } from './version-print.ts';

interface DeployVersionRow {
  id: string;
  deployId: string;
  versionNo: number;
  treeHash: string;
  renderIndexKey: string;
  renderPackKey: string;
  route: string;
  title: string;
  renderTimeoutMs: number | null;
  metadata: Record<string, unknown> | null;
  print: ExplicitPrintOptions | null;
  warnings: DeployVersionWarning[] | null;
  status: DeployVersion['status'];
  createdAt: number;
}

const selectVersions = (sql: Queryable) => sql`
  select id, deploy_id, version_no, tree_hash, render_index_key, render_pack_key, route, title, render_timeout_ms,
    metadata, ${selectPrint(sql, sql`deploy_versions`)}, warnings, status, created_at
  from deploy_versions`;

const toVersion = ({ metadata, ...columns }: DeployVersionRow): DeployVersion =>
  omitNulls({
    ...columns,
    displayId: `v${columns.versionNo}`,
    metadataJson: metadata && JSON.stringify(metadata),
  });

/** Reads a version (REST 2.4), also one that was deleted: what a commit answers once, it answers again. */
export async function getReadyOrDeletedVersion(
  sql: Queryable,
  workspaceId: string,
  id: string,
): Promise<DeployVersion> {
  const [row] = await sql<DeployVersionRow[]>`
    ${selectVersions(sql)} where id = ${id} and workspace_id = ${workspaceId}`;
  if (!row) throw new ServiceError('deploy_version_not_found');
  return toVersion(row);
}

/** Reads a version of a deploy that the caller has found; a deleted one is none. @throws ServiceError `deploy_version_not_found` */
export async function getReadyVersion(
  sql: Queryable,
  deployId: string,
  id: string,
): Promise<DeployVersion> {
  const [row] = await sql<DeployVersionRow[]>`
    ${selectVersions(sql)} where id = ${id} and deploy_id = ${deployId} and status = 'ready'`;
  if (!row) throw new ServiceError('deploy_version_not_found');
  return toVersion(row);
}

/** Lists the versions of a deploy, newest first. The caller has checked that the deploy is the workspace's. */
export const listDeployVersions = (
  sql: Sql,
  cursors: Cursors,
  { deployId, ...page }: { deployId: string } & PageRequest,
): Promise<Page<DeployVersion>> =>
  readPage(cursors, `versions ${deployId}`, page, {
    read: (position) => sql<DeployVersionRow[]>`
      ${selectVersions(sql)} where deploy_id = ${deployId} and status = 'ready' ${newestFirst(sql, sql`id`, position)}`,
    toItem: toVersion,
    toPosition: ({ id }) => id,
  });

/** The files of a version, by path. The caller has checked that the version is the workspace's. */
export async function listVersionFiles(sql: Queryable, versionId: string): Promise<VersionFile[]> {
  const rows = await sql<(Omit<VersionFile, 'mime'> & { mime: string | null })[]>`
    select path, size, mime, sha256 from deploy_version_files
    where deploy_version_id = ${versionId} order by path`;
  return rows.map((row) => ({ ...row, mime: row.mime ?? mimeOf(row.path) }));
}

/**
 * Deletes a version; its files and packs go once no open job needs them. The deploy's row is locked, as it is when an alias
 * is set, so that none can be pointed at the version meanwhile.
 *
 * @throws ServiceError `version_in_use` | `deploy_version_not_found`
 */
export async function deleteDeployVersion(
  sql: Queryable,
  input: { deployId: string; versionId: string; now: number },
): Promise<void> {
  const { deployId, versionId, now } = input;
  await inTransaction(sql, async (tx) => {
    await tx`select from deploys where id = ${deployId} for no key update`;
    await getReadyVersion(tx, deployId, versionId);
    const aliases = await tx`
      select 1 from deploy_aliases where deploy_id = ${deployId} and deploy_version_id = ${versionId} limit 1`;
    if (aliases.length > 0) throw new ServiceError('version_in_use');
    await endVersions(tx, tx`id = ${versionId}`, now);
  });
}

/** `ready → deleted` of the versions that `which` names; what they stored is free again. */
export async function endVersions(
  tx: Transaction,
  which: ReturnType<Queryable>,
  now: number,
): Promise<void> {
  const ended = await tx<{ workspaceId: string; bytes: number }[]>`
    update deploy_versions set status = 'deleted', deleted_at = ${now} where status = 'ready' and ${which}
    returning workspace_id, bytes`;
  await releaseStorage(
    tx,
    ended.map(({ workspaceId, bytes }) => ({ workspaceId, deployVersionBytes: -bytes })),
    now,
  );
}

export interface RenderPackage {
  readonly treeHash: string;
  readonly renderIndexKey: string;
  readonly renderPackKey: string;
}

/** A commit may be tried again for so long before its pack is taken for abandoned. */
const unpublishedPackMs = dayMs;

/**
 * Owes the deletion of a pack that is about to be written, so that a commit which is refused leaves nothing for ever;
 * publishing takes it back. Under the workspace's lock, as publishing is: a pack that a version needs is never owed.
 */
export const scheduleUnpublishedPackDeletion = (
  sql: Sql,
  pack: { workspaceId: string; treeHash: string; keys: readonly string[]; now: number },
): Promise<void> =>
  inTransaction(sql, async (tx) => {
    const { workspaceId, treeHash, keys, now } = pack;
    await lockWorkspace(tx, workspaceId);
    const published = await tx`
      select 1 from deploy_versions
      where workspace_id = ${workspaceId} and tree_hash = ${treeHash} and purged_at is null limit 1`;
    if (published.length === 0) await scheduleBlobDeletions(tx, keys, now + unpublishedPackMs);
  });

/**
 * Publishes the version in one transaction: number, files, and the session's `committing → committed`. Called again, or by
 * a stale activity, it returns the version that was published.
 *
 * @throws ServiceError `upload_session_closed` when it is at another commit, `deploy_not_found` |
 *   `deploy_commit_quota_exceeded` | `storage_limit_exceeded`
 */
export async function publishVersion(
  sql: Sql,
  plans: PlanCatalogue,
  input: {
    uploadSessionId: string;
    commitNo?: number | undefined;
    renderPackage: RenderPackage;
    now: number;
  },
): Promise<string> {
  const { uploadSessionId, commitNo, renderPackage, now } = input;
  return inTransaction(sql, async (tx) => {
    const [session] = await tx<
      {
        workspaceId: string;
        plan: string;
        deployId: string;
        status: string;
        commitNo: number;
        deployVersionId: string | null;
        commitBody: CommitBody;
      }[]
    >`
      select s.workspace_id, w.plan, s.deploy_id, s.status, s.commit_no, s.deploy_version_id, s.commit_body
      from upload_sessions s join workspaces w on w.id = s.workspace_id
      where s.id = ${uploadSessionId} for update of s`;
    if (session?.deployVersionId) return session.deployVersionId;
    // A stale activity, or one of a commit that has ended: the files in the row are another's.
    if (session?.status !== 'committing' || (commitNo ?? session.commitNo) !== session.commitNo)
      throw new ServiceError('upload_session_closed');
    await lockWorkspace(tx, session.workspaceId);
    // The pack may be that of a version which was just purged, and is owed since it was written.
    for (const key of [renderPackage.renderIndexKey, renderPackage.renderPackKey])
      await cancelBlobDeletion(tx, key, Date.now());
    const [numbered] = await tx<{ lastVersionNo: number }[]>`
      update deploys set last_version_no = last_version_no + 1
      where id = ${session.deployId} and deleted_at is null returning last_version_no`;
    if (!numbered) throw new ServiceError('deploy_not_found');

    const { entries, render } = session.commitBody;
    const { print, printGeneration, warnings } = toVersionPrint(render);
    const version = {
      id: newId('deployVersion'),
      workspaceId: session.workspaceId,
      deployId: session.deployId,
      versionNo: numbered.lastVersionNo,
      ...renderPackage,
      route: render.route,
      title: render.title,
      renderTimeoutMs: render.renderTimeoutMs ?? null,
      metadata: toJsonColumn(tx, render.metadata),
      print: toJsonColumn(tx, print),
      printGeneration,
      warnings: toJsonColumn(tx, warnings.length > 0 ? warnings : undefined),
      fileCount: entries.length,
      bytes: entries.reduce((sum, { size }) => sum + size, 0),
      createdAt: now,
    };
    await tx`insert into deploy_versions ${tx(version)}`;
    await tx`
      insert into deploy_version_files (deploy_version_id, path, sha256, size, mime)
      select ${version.id}, path, "blobHash", size, mime
      from jsonb_to_recordset(${tx.json(entries as never)}) as e(path text, "blobHash" text, size bigint, mime text)`;
    const { from, to } = uploadSessionTransitions.publish;
    await tx`
      update upload_sessions set status = ${to}, deploy_version_id = ${version.id}, committed_at = ${now}, commit_body = null
      where id = ${uploadSessionId} and status in ${tx(from)}`;
    const { workspaceId, bytes } = version;
    const policy = policyOf(plans, session.plan);
    await debitDeployCommit(tx, { workspaceId, policy, now });
    await addStorage(tx, {
      workspaceId,
      added: { deployVersionBytes: bytes },
      storageLimitBytes: policy.storageLimitBytes,
      now,
    });
    return version.id;
  });
}

const toJsonColumn = (tx: Transaction, value: object | null | undefined) =>
  value ? tx.json(value as never) : null;
