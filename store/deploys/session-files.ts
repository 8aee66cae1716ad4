import { ServiceError } from '../../contracts/errors.ts';
import type { Queryable } from '../database/connection.ts';

/**
 * Deletes the file lists of sessions that have expired or were committed. `limit` counts listed files, because one session may
 * list 15,000. Returns how many were deleted.
 */
export async function deleteSessionFiles(sql: Queryable, limit: number): Promise<number> {
  const deleted = await sql`
    delete from upload_session_files where ctid = any(array(
      select f.ctid from upload_session_files f join upload_sessions s on s.id = f.upload_session_id
      where s.status in ('expired', 'committed') limit ${limit}))`;
  return deleted.count;
}

/** Lists the hashes in a session that the workspace does not have yet. */
export const listMissingBlobs = (sql: Queryable, uploadSessionId: string) =>
  sql<{ sha256: string }[]>`
    select distinct f.sha256 from upload_session_files f
    join upload_sessions s on s.id = f.upload_session_id
    left join blobs b on b.workspace_id = s.workspace_id and b.sha256 = f.sha256
    where f.upload_session_id = ${uploadSessionId} and b.sha256 is null
    order by f.sha256`;

/** A file that a session lists. */
export interface ListedBlob {
  readonly size: number;
  readonly mime: string | null;
  /** True if the workspace already has the file. */
  readonly present: boolean;
}

/** Gets a file of the session's list by its hash. @throws ServiceError `blob_not_in_session` */
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
