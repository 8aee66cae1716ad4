import { ServiceError } from '../../contracts/errors.ts';
import type { ManagedPdf, PdfListQuery } from '../../contracts/rest/schemas/pdfs.ts';
import { scheduleBlobDeletions } from '../blobs/blob-deletions.ts';
import type { StoredFile } from '../blobs/signed-links.ts';
import { clausesFor } from '../database/clauses.ts';
import type { Queryable, Sql } from '../database/connection.ts';
import {
  type Cursors,
  type Page,
  type PageRequest,
  type Position,
  readPage,
  timePosition,
} from '../database/cursors.ts';
import { type Nullable, omitNulls } from '../database/rows.ts';
import { inTransaction } from '../database/transactions.ts';
import { releaseStorage } from '../usage/storage-usage.ts';
import { markOutputsDeleted } from './outputs.ts';

/** Managed PDFs (REST 4.4). A deleted PDF is answered like one that never existed. */

type PdfRow = Nullable<ManagedPdf>;

const selectPdfs = (sql: Queryable) => sql`
  select p.id, p.state, p.file_name, p.bytes, p.page_count, p.created_at, p.job_id as render_job_id, p.deploy_id,
    j.deploy_version_id, p.business_key, p.sha256, p.deleted_at
  from pdfs p join render_jobs j on j.id = p.job_id`;

const toPdf = (row: PdfRow): ManagedPdf => omitNulls(row);

/** @throws ServiceError `pdf_not_found` */
export async function getPdf(
  sql: Queryable,
  workspaceId: string,
  pdfId: string,
): Promise<ManagedPdf> {
  const [row] = await sql<PdfRow[]>`
    ${selectPdfs(sql)} where p.id = ${pdfId} and p.workspace_id = ${workspaceId} and p.state = 'available'`;
  if (!row) throw new ServiceError('pdf_not_found');
  return toPdf(row);
}

/** Lists the managed PDFs that match the filters, newest first. */
export const listPdfs = (
  sql: Sql,
  cursors: Cursors,
  workspaceId: string,
  { cursor, limit, ...filter }: PdfListQuery,
): Promise<Page<ManagedPdf>> =>
  readPage(
    cursors,
    `pdfs ${workspaceId} ${JSON.stringify(filter)}`,
    { cursor, limit },
    {
      read: (position) => selectMatchingPdfs(sql, workspaceId, { ...filter, ...position }),
      toItem: toPdf,
      toPosition: ({ createdAt, id }) => timePosition.format(createdAt, id),
    },
  );

/** The statement of a list. It is separate so that a test can read its query plan. */
export function selectMatchingPdfs(
  sql: Queryable,
  workspaceId: string,
  { after, limit, ...filter }: Omit<PdfListQuery, keyof PageRequest> & Position,
) {
  const last = timePosition.parse(after);
  const ifDefined = clausesFor(sql);
  return sql<PdfRow[]>`
    ${selectPdfs(sql)} where p.workspace_id = ${workspaceId} and p.state = 'available'
      ${ifDefined(filter.deployId, (id) => sql`and p.deploy_id = ${id}`)}
      ${ifDefined(filter.businessKey, (key) => sql`and p.business_key = ${key}`)}
      ${ifDefined(filter.createdAfter, (time) => sql`and p.created_at > ${time}`)}
      ${ifDefined(filter.createdBefore, (time) => sql`and p.created_at < ${time}`)}
      ${ifDefined(last, ({ at, id }) => sql`and (p.created_at, p.id) < (${at}, ${id})`)}
    order by p.created_at desc, p.id desc limit ${limit}`;
}

/** Gets the file of a PDF, for a link. @throws ServiceError `pdf_not_found` */
export async function getPdfFile(
  sql: Queryable,
  workspaceId: string,
  pdfId: string,
): Promise<StoredFile> {
  const [file] = await sql<StoredFile[]>`
    select blob_key, file_name from pdfs
    where id = ${pdfId} and workspace_id = ${workspaceId} and state = 'available'`;
  if (!file) throw new ServiceError('pdf_not_found');
  return file;
}

/**
 * Deletes a PDF, its permanent links and the output of its job, so that nothing refers to the blob any more.
 *
 * @returns keys of the blobs that nothing needs any more; their deletion is scheduled
 * @throws ServiceError `pdf_not_found`
 */
export function deletePdf(
  sql: Queryable,
  input: { workspaceId: string; pdfId: string; now: number },
): Promise<readonly string[]> {
  const { workspaceId, pdfId, now } = input;
  return inTransaction(sql, async (tx) => {
    // The output is deleted first: while its PDF is available, it owns neither the blob nor storage.
    await markOutputsDeleted(
      tx,
      tx`job_id = (select job_id from pdfs where id = ${pdfId} and workspace_id = ${workspaceId})`,
      'manual',
      now,
    );
    const [pdf] = await tx<{ blobKey: string; bytes: number }[]>`
      update pdfs set state = 'deleted', deleted_at = ${now}
      where id = ${pdfId} and workspace_id = ${workspaceId} and state = 'available'
      returning blob_key, bytes`;
    if (!pdf) throw new ServiceError('pdf_not_found');
    await tx`update permanent_links set deleted_at = ${now} where pdf_id = ${pdfId} and deleted_at is null`;
    await scheduleBlobDeletions(tx, [pdf.blobKey], now);
    await releaseStorage(tx, [{ workspaceId, managedPdfBytes: -pdf.bytes }], now);
    return [pdf.blobKey];
  });
}
