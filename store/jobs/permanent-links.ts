import { ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import type { StoredFile } from '../blobs/signed-links.ts';
import type { Queryable } from '../database/connection.ts';
import type { LinkTokens } from '../secrets/link-tokens.ts';
import { getPdf } from './pdfs.ts';

/**
 * Public links to managed PDFs (REST 4.4). They lead to this service and not to the storage, so that a deleted link stops
 * working at once.
 */

/** A permanent link with its token. */
export interface StoredPermanentLink {
  readonly id: string;
  readonly pdfId: string;
  readonly token: string;
  readonly createdAt: number;
}

interface LinkRow extends Omit<StoredPermanentLink, 'token'> {
  readonly tokenSealed: Buffer;
}

/** @throws ServiceError `pdf_not_found` */
export async function createPermanentLink(
  sql: Queryable,
  tokens: LinkTokens,
  input: { workspaceId: string; pdfId: string; now: number },
): Promise<StoredPermanentLink> {
  const { workspaceId, pdfId, now } = input;
  const { token, hash, sealed } = tokens.create();
  const [row] = await sql<Omit<LinkRow, 'tokenSealed'>[]>`
    insert into permanent_links (id, workspace_id, pdf_id, token_hash, token_sealed, sealed_by, created_at)
    select ${newId('permanentLink')}, workspace_id, id, ${hash}, ${sealed}, ${tokens.keyId}, ${now} from pdfs
    where id = ${pdfId} and workspace_id = ${workspaceId} and state = 'available' for share
    returning id, pdf_id, created_at`;
  if (!row) throw new ServiceError('pdf_not_found');
  return { ...row, token };
}

/** Lists the active links of a PDF, oldest first. @throws ServiceError `pdf_not_found` */
export async function listPermanentLinks(
  sql: Queryable,
  tokens: LinkTokens,
  input: { workspaceId: string; pdfId: string },
): Promise<StoredPermanentLink[]> {
  await getPdf(sql, input.workspaceId, input.pdfId);
  const rows = await sql<LinkRow[]>`
    select id, pdf_id, token_sealed, created_at from permanent_links
    where pdf_id = ${input.pdfId} and deleted_at is null order by id`;
  return rows.map(({ tokenSealed, ...link }) => ({ ...link, token: tokens.open(tokenSealed) }));
}

/** @throws ServiceError `pdf_not_found` | `permanent_link_not_found` */
export async function deletePermanentLink(
  sql: Queryable,
  input: { workspaceId: string; pdfId: string; linkId: string; now: number },
): Promise<void> {
  await getPdf(sql, input.workspaceId, input.pdfId);
  const deleted = await sql`
    update permanent_links set deleted_at = ${input.now}
    where id = ${input.linkId} and pdf_id = ${input.pdfId} and deleted_at is null returning 1`;
  if (deleted.length === 0) throw new ServiceError('permanent_link_not_found');
}

/** A PDF that is served behind a permanent link. */
export interface PublicPdf extends StoredFile {
  readonly bytes: number;
}

/** Finds the PDF of a link by its token. It returns undefined if the link or the PDF was deleted or never existed. */
export async function findPublicPdf(
  sql: Queryable,
  tokens: LinkTokens,
  token: string,
): Promise<PublicPdf | undefined> {
  const [pdf] = await sql<PublicPdf[]>`
    select p.blob_key, p.file_name, p.bytes from permanent_links l join pdfs p on p.id = l.pdf_id
    where l.token_hash = ${tokens.hash(token)} and l.deleted_at is null and p.state = 'available'`;
  return pdf;
}
