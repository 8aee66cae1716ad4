import type { VersionFile } from '../../contracts/admin/versions.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { ExplicitPrintOptions } from '../../contracts/rest/schemas/commits.ts';
import type { DeployVersion, DeployVersionWarning } from '../../contracts/rest/schemas/versions.ts';
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
import { releaseStorage } from '../usage/storage-usage.ts';
import { mimeOf } from './file-types.ts';
import { selectPrint } from './version-print.ts';

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

/**
 * Gets a version (REST 2.4), also a deleted one, because a repeated commit gets the same answer again.
 *
 * @throws ServiceError `deploy_version_not_found`
 */
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

/** Gets a version of a deploy. A deleted version is not found. @throws ServiceError `deploy_version_not_found` */
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

/** Lists the versions of a deploy, newest first, without deleted ones. The caller has checked that the deploy belongs to the workspace. */
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

/** Lists the files of a version, by path. The caller has checked that the version belongs to the workspace. */
export async function listVersionFiles(sql: Queryable, versionId: string): Promise<VersionFile[]> {
  const rows = await sql<(Omit<VersionFile, 'mime'> & { mime: string | null })[]>`
    select path, size, mime, sha256 from deploy_version_files
    where deploy_version_id = ${versionId} order by path`;
  return rows.map((row) => ({ ...row, mime: row.mime ?? mimeOf(row.path) }));
}

/**
 * Deletes a version. Its files and packs are deleted later, when no open job needs them. The deploy's row is locked, like when
 * an alias is set, so that no alias can be pointed at the version meanwhile.
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
    await markVersionsDeleted(tx, tx`id = ${versionId}`, now);
  });
}

/** `ready → deleted`, for all versions that match `condition`. Their storage is free again. */
export async function markVersionsDeleted(
  tx: Transaction,
  condition: ReturnType<Queryable>,
  now: number,
): Promise<void> {
  const deleted = await tx<{ workspaceId: string; bytes: number }[]>`
    update deploy_versions set status = 'deleted', deleted_at = ${now} where status = 'ready' and ${condition}
    returning workspace_id, bytes`;
  await releaseStorage(
    tx,
    deleted.map(({ workspaceId, bytes }) => ({ workspaceId, deployVersionBytes: -bytes })),
    now,
  );
}
