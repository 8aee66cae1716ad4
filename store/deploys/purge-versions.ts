import { minuteMs } from '../../contracts/units.ts';
import { scheduleBlobDeletions } from '../blobs/blob-deletions.ts';
import { blobKeys } from '../blobs/blob-keys.ts';
import type { Sql } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { lockWorkspace } from '../workspaces/workspaces.ts';

/** A worker may still read the pack for this long after its job has ended. */
const packGraceMs = 10 * minuteMs;

/**
 * Deletes the files of deleted versions that no open job renders, and the packs that no other version shares. It skips
 * workspaces with a running commit, because that commit may have just found the pack.
 *
 * @returns how many versions were purged
 */
export async function purgeVersions(sql: Sql, now: number, limit: number): Promise<number> {
  const purgeable = await sql<{ id: string; workspaceId: string }[]>`
    select d.id, d.workspace_id from deploy_versions d
    where d.status = 'deleted' and d.purged_at is null
      and not exists (
        select from render_jobs j where j.deploy_version_id = d.id and j.finished_at is null)
      and not exists (
        select from upload_sessions s where s.workspace_id = d.workspace_id and s.status = 'committing')
    order by d.id limit ${limit}`;
  for (const version of purgeable) await purgeVersion(sql, version, now);
  return purgeable.length;
}

/**
 * Purges one version. It locks the workspace, as publishing a version does. So a publication sees that the deletion of the pack
 * is scheduled, and a purge sees that a published version needs the pack.
 */
const purgeVersion = (
  sql: Sql,
  { id, workspaceId }: { id: string; workspaceId: string },
  now: number,
): Promise<void> =>
  inTransaction(sql, async (tx) => {
    await lockWorkspace(tx, workspaceId);
    // The clean-up of files checks these files next.
    await tx`
      update blobs set looked_at = 0 where workspace_id = ${workspaceId} and looked_at > 0
        and sha256 in (select sha256 from deploy_version_files where deploy_version_id = ${id})`;
    await tx`delete from deploy_version_files where deploy_version_id = ${id}`;
    const [purged] = await tx<{ treeHash: string }[]>`
      update deploy_versions set purged_at = ${now} where id = ${id} and purged_at is null returning tree_hash`;
    if (!purged) return;
    const { treeHash } = purged;
    const sharing = await tx`
      select 1 from deploy_versions
      where workspace_id = ${workspaceId} and tree_hash = ${treeHash} and purged_at is null limit 1`;
    if (sharing.length > 0) return;
    const packs = Object.values(blobKeys.renderPackage(workspaceId, treeHash));
    await scheduleBlobDeletions(tx, packs, now + packGraceMs);
  });
