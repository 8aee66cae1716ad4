import { usageDayOf } from '../../contracts/bill-period.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { Queryable, Transaction } from '../database/connection.ts';

/**
 * The storage of a workspace (REST 2.13). It changes when a version or PDF becomes visible and when it is deleted. A version
 * counts with the sizes of its files. The PDF of a job counts once: as a managed PDF while there is one, else as an output. The
 * row is locked after all others.
 */
export interface StorageUsage {
  readonly deployVersionBytes: number;
  readonly managedPdfBytes: number;
  readonly renderOutputBytes: number;
}

const noStorage: StorageUsage = { deployVersionBytes: 0, managedPdfBytes: 0, renderOutputBytes: 0 };

export const totalBytesOf = (usage: StorageUsage): number =>
  usage.deployVersionBytes + usage.managedPdfBytes + usage.renderOutputBytes;

/**
 * Adds bytes to the storage of a workspace.
 *
 * @throws ServiceError `storage_limit_exceeded`
 */
export async function addStorage(
  tx: Transaction,
  input: {
    workspaceId: string;
    added: Partial<StorageUsage>;
    storageLimitBytes: number;
    now: number;
  },
): Promise<void> {
  const { workspaceId, storageLimitBytes: limit, now } = input;
  const added = { ...noStorage, ...input.added };
  const total = totalBytesOf(added);
  const [after] = await tx<{ managedPdfBytes: number }[]>`
    insert into storage_usage as s (workspace_id, deploy_version_bytes, managed_pdf_bytes, render_output_bytes)
    select ${workspaceId}, ${added.deployVersionBytes}, ${added.managedPdfBytes}, ${added.renderOutputBytes}
      where ${total}::bigint <= ${limit}::bigint
    on conflict (workspace_id) do update set
      deploy_version_bytes = s.deploy_version_bytes + excluded.deploy_version_bytes,
      managed_pdf_bytes = s.managed_pdf_bytes + excluded.managed_pdf_bytes,
      render_output_bytes = s.render_output_bytes + excluded.render_output_bytes
      where s.deploy_version_bytes + s.managed_pdf_bytes + s.render_output_bytes + ${total}::bigint <= ${limit}::bigint
    returning managed_pdf_bytes`;
  if (!after) throw new ServiceError('storage_limit_exceeded');
  await recordManagedPdfDays(tx, [{ workspaceId, ...after, change: added.managedPdfBytes }], now);
}

/** A change of a workspace's counters, in bytes: negative for what it no longer stores. */
export interface StorageChange extends Partial<StorageUsage> {
  readonly workspaceId: string;
}

/** Applies changes of one or many workspaces. No limit is checked, because the changes do not increase the total of a workspace. */
export async function releaseStorage(
  tx: Transaction,
  changes: readonly StorageChange[],
  now: number,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change) => ({ ...noStorage, ...change }));
  // The rows are locked in the order of their ids, so that no two transactions wait for each other.
  const applied = await tx<{ workspaceId: string; managedPdfBytes: number; change: number }[]>`
    with changes as (
      select "workspaceId" as workspace_id, sum("deployVersionBytes") as versions, sum("managedPdfBytes") as pdfs,
        sum("renderOutputBytes") as outputs
      from jsonb_to_recordset(${tx.json(rows as never)})
        as c("workspaceId" text, "deployVersionBytes" bigint, "managedPdfBytes" bigint, "renderOutputBytes" bigint)
      group by 1
    ), locked as (
      select s.workspace_id from storage_usage s join changes using (workspace_id) order by s.workspace_id for update of s
    )
    update storage_usage s set
      deploy_version_bytes = s.deploy_version_bytes + c.versions,
      managed_pdf_bytes = s.managed_pdf_bytes + c.pdfs,
      render_output_bytes = s.render_output_bytes + c.outputs
    from changes c join locked using (workspace_id) where s.workspace_id = c.workspace_id
    returning s.workspace_id, s.managed_pdf_bytes, c.pdfs::bigint as change`;
  await recordManagedPdfDays(tx, applied, now);
}

/** Records the peak and the closing size of the day. The peak includes the sizes before and after each change. */
async function recordManagedPdfDays(
  tx: Transaction,
  changes: readonly { workspaceId: string; managedPdfBytes: number; change: number }[],
  now: number,
): Promise<void> {
  const rows = changes
    .filter(({ change }) => change !== 0)
    .map(({ workspaceId, managedPdfBytes, change }) => ({
      workspaceId,
      peakBytes: Math.max(managedPdfBytes, managedPdfBytes - change),
      closingBytes: managedPdfBytes,
    }));
  if (rows.length > 0)
    // Clocks differ a little: if a later day is already recorded, the change belongs to that day.
    await tx`
      insert into managed_pdf_days (workspace_id, day, peak_bytes, closing_bytes)
      select c."workspaceId", greatest(${usageDayOf(now)}::date, latest.day), c."peakBytes", c."closingBytes"
      from jsonb_to_recordset(${tx.json(rows)}) as c("workspaceId" text, "peakBytes" bigint, "closingBytes" bigint)
        left join lateral (
          select max(day) as day from managed_pdf_days d where d.workspace_id = c."workspaceId" collate "C") latest on true
      on conflict (workspace_id, day) do update set
        peak_bytes = greatest(managed_pdf_days.peak_bytes, excluded.closing_bytes), closing_bytes = excluded.closing_bytes`;
}

/** Gets the current storage of a workspace. */
export async function getStorageUsage(sql: Queryable, workspaceId: string): Promise<StorageUsage> {
  const [row] = await sql<StorageUsage[]>`
    select deploy_version_bytes, managed_pdf_bytes, render_output_bytes from storage_usage
    where workspace_id = ${workspaceId}`;
  return row ?? noStorage;
}

/**
 * Checks that the storage is not full, so that nothing is made that cannot be stored. Only `addStorage` is binding.
 *
 * @throws ServiceError `storage_limit_exceeded`
 */
export async function assertStorageLeft(
  sql: Queryable,
  workspaceId: string,
  storageLimitBytes: number,
): Promise<void> {
  if (totalBytesOf(await getStorageUsage(sql, workspaceId)) >= storageLimitBytes)
    throw new ServiceError('storage_limit_exceeded');
}
