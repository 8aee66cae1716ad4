import type { Sql } from '../database/connection.ts';
import type { LinkTokens } from './link-tokens.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/**
 * Decrypts secrets that a former secret key has sealed, and seals them with the current key. The former key can be removed when
 * no such secret is left. A row that changes meanwhile is resealed in the next run.
 *
 * @returns how many rows were sealed again, at most `limit` of each kind
 */
export async function resealSecrets(
  sql: Sql,
  { linkTokens, webhookSecrets }: { linkTokens: LinkTokens; webhookSecrets: WebhookSecrets },
  limit: number,
): Promise<number> {
  const links = await sql<{ id: string; tokenSealed: Buffer }[]>`
    select id, token_sealed from permanent_links
    where sealed_by <> ${linkTokens.keyId} and deleted_at is null limit ${limit}`;
  for (const { id, tokenSealed } of links)
    await sql`
      update permanent_links set token_sealed = ${linkTokens.reseal(tokenSealed)}, sealed_by = ${linkTokens.keyId}
      where id = ${id} and token_sealed = ${tokenSealed}`;
  const endpoints = await sql<
    { id: string; secretSealed: Buffer; oldSecretSealed: Buffer | null }[]
  >`
    select id, secret_sealed, old_secret_sealed from webhook_endpoints
    where sealed_by <> ${webhookSecrets.keyId} limit ${limit}`;
  for (const { id, secretSealed, oldSecretSealed } of endpoints)
    await sql`
      update webhook_endpoints set secret_sealed = ${webhookSecrets.reseal(secretSealed)},
        old_secret_sealed = ${oldSecretSealed && webhookSecrets.reseal(oldSecretSealed)}, sealed_by = ${webhookSecrets.keyId}
      where id = ${id} and secret_sealed = ${secretSealed}`;
  return links.length + endpoints.length;
}
