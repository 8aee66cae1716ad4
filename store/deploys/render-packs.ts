import { dayMs } from '../../contracts/units.ts';
import { scheduleBlobDeletions } from '../blobs/blob-deletions.ts';
import type { Sql } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { lockWorkspace } from '../workspaces/workspaces.ts';

/**
 * The blob keys of a version's pack and of its index. Both are named by the hash of the tree, so that equal trees share them.
 */
export interface RenderPackage {
  readonly treeHash: string;
  readonly renderIndexKey: string;
  readonly renderPackKey: string;
}

/** A commit may be retried for this long. If it is not published by then, its pack is not needed. */
const unpublishedPackMs = dayMs;

/**
 * Schedules the deletion of a pack that is about to be written, so that a refused commit leaves nothing behind. Publishing
 * cancels the deletion. Both lock the workspace, so that no deletion is scheduled for a pack that a version needs.
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
