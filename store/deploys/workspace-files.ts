import { dayMs } from '../../contracts/units.ts';
import { scheduleBlobDeletions } from '../blobs/blob-deletions.ts';
import { blobKeys } from '../blobs/blob-keys.ts';
import type { Queryable, Sql } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';

/** Files of workspaces: the rows of the table `blobs`, one for each hash. Their bytes are in the blob storage. */

/** Records that the workspace has the file. A file that is already recorded stays as it is. */
export const recordFile = (
  sql: Queryable,
  blob: {
    workspaceId: string;
    sha256: string;
    size: number;
    mime: string | null;
    createdAt: number;
  },
) => sql`insert into blobs ${sql(blob)} on conflict do nothing`;

/** Deletes the record of a file whose bytes are missing, so that clients upload it again. */
export const deleteFileRecord = (sql: Queryable, workspaceId: string, sha256: string) =>
  sql`delete from blobs where workspace_id = ${workspaceId} and sha256 = ${sha256}`;

/** An unreferenced file is kept this long, which is longer than any upload session or render. */
const unreferencedFileMs = dayMs;
/** A file that a version needs is checked again after this time, or as soon as the version is purged. */
const checkIntervalMs = 7 * dayMs;

/** Checks the `limit` files whose last check is longest ago, and deletes those that no version and no session needs. Returns how many. */
export const deleteUnreferencedFiles = (sql: Sql, now: number, limit: number): Promise<number> =>
  inTransaction(sql, async (tx) => {
    const deleted = await tx<{ workspaceId: string; sha256: string }[]>`
      with checked as (
        select b.workspace_id, b.sha256, exists (
          select from deploy_version_files f join deploy_versions v on v.id = f.deploy_version_id
          where f.sha256 = b.sha256 and v.workspace_id = b.workspace_id) as needed
        from blobs b
        where b.looked_at <= ${now - checkIntervalMs} and b.created_at < ${now - unreferencedFileMs}
        order by b.looked_at limit ${limit} for update skip locked
      ), kept as (
        update blobs b set looked_at = ${now} from checked c
        where c.needed and b.workspace_id = c.workspace_id and b.sha256 = c.sha256
      )
      delete from blobs b using checked c
      where not c.needed and b.workspace_id = c.workspace_id and b.sha256 = c.sha256
        and not exists (
          select from upload_session_files f join upload_sessions s on s.id = f.upload_session_id
          where f.sha256 = b.sha256 and s.workspace_id = b.workspace_id and s.status in ('open', 'committing'))
      returning b.workspace_id, b.sha256`;
    const keys = deleted.map(({ workspaceId, sha256 }) => blobKeys.file(workspaceId, sha256));
    await scheduleBlobDeletions(tx, keys, now);
    return deleted.length;
  });
