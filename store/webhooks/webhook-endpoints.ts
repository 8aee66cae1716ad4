import type { UpdateWebhookEndpointBody, WebhookEndpoint } from '../../contracts/admin/webhooks.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { maxWebhookEndpoints, webhookSecretOverlapMs } from '../../contracts/limits.ts';
import { hostAndPort } from '../../network/egress-policy.ts';
import { hostOf, portOf } from '../../network/url-target.ts';
import type { Queryable } from '../database/connection.ts';
import { type Nullable, omitNulls } from '../database/rows.ts';
import { inTransaction } from '../database/transactions.ts';
import type { WebhookSecrets } from '../secrets/webhook-secrets.ts';
import { lockWorkspace } from '../workspaces/workspaces.ts';

/** Webhook endpoints of a workspace. An endpoint of another workspace is answered like one that does not exist. */

type EndpointRow = Nullable<Omit<WebhookEndpoint, 'enabled'>>;

const endpointColumns = (sql: Queryable) =>
  sql`id, url, disabled_at, disabled_reason, old_secret_ends_at, created_at, updated_at`;

const toEndpoint = (row: EndpointRow): WebhookEndpoint =>
  omitNulls({ ...row, enabled: row.disabledAt === null });

const requireEndpoint = (row: EndpointRow | undefined): WebhookEndpoint => {
  if (!row) throw new ServiceError('webhook_endpoint_not_found');
  return toEndpoint(row);
};

/** An endpoint and its secret, with which the receiver verifies webhooks. */
export interface WebhookEndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

interface EndpointKey {
  readonly workspaceId: string;
  readonly endpointId: string;
}

/** @throws ServiceError `invalid_request` if webhooks may not be sent to the URL, `webhook_endpoint_limit_exceeded` */
export async function createWebhookEndpoint(
  sql: Queryable,
  secrets: WebhookSecrets,
  input: { workspaceId: string; url: string; egressAllow: readonly string[]; now: number },
): Promise<WebhookEndpointWithSecret> {
  const { workspaceId, url, now } = input;
  requireSecureUrl(url, input.egressAllow);
  const { secret, sealed } = secrets.create();
  const endpoint = await inTransaction(sql, async (tx) => {
    // The lock makes simultaneous requests count one after the other.
    await lockWorkspace(tx, workspaceId);
    const [count] = await tx<{ endpoints: number }[]>`
      select count(*)::int as endpoints from webhook_endpoints where workspace_id = ${workspaceId}`;
    if ((count?.endpoints ?? 0) >= maxWebhookEndpoints)
      throw new ServiceError('webhook_endpoint_limit_exceeded');
    const [row] = await tx<EndpointRow[]>`
      insert into webhook_endpoints (id, workspace_id, url, secret_sealed, sealed_by, created_at, updated_at)
      values (${newId('webhookEndpoint')}, ${workspaceId}, ${url}, ${sealed}, ${secrets.keyId}, ${now}, ${now})
      returning ${endpointColumns(tx)}`;
    return requireEndpoint(row);
  });
  return { endpoint, secret };
}

/** Requires HTTPS, because others could read and answer plain HTTP. The operator can allow plain HTTP for a host and port. */
function requireSecureUrl(text: string, egressAllow: readonly string[]): void {
  const url = new URL(text);
  if (url.protocol === 'https:' || egressAllow.includes(hostAndPort(hostOf(url), portOf(url))))
    return;
  throw new ServiceError('invalid_request', 'url: a webhook endpoint has to be an https URL.');
}

/** Lists all endpoints of a workspace, oldest first. There are at most a few, so there are no pages. */
export async function listWebhookEndpoints(
  sql: Queryable,
  workspaceId: string,
): Promise<WebhookEndpoint[]> {
  const rows = await sql<EndpointRow[]>`
    select ${endpointColumns(sql)} from webhook_endpoints where workspace_id = ${workspaceId} order by id`;
  return rows.map(toEndpoint);
}

/**
 * Changes the fields that are present. An endpoint that is enabled or gets a new URL starts without its earlier failures.
 *
 * @throws ServiceError `invalid_request` | `webhook_endpoint_not_found`
 */
export async function updateWebhookEndpoint(
  sql: Queryable,
  input: EndpointKey & UpdateWebhookEndpointBody & { egressAllow: readonly string[]; now: number },
): Promise<WebhookEndpoint> {
  const { workspaceId, endpointId, url, enabled, now } = input;
  if (url !== undefined) requireSecureUrl(url, input.egressAllow);
  const [row] = await sql<EndpointRow[]>`
    update webhook_endpoints set updated_at = ${now}, url = coalesce(${url ?? null}, url)
      ${enabled === true ? sql`, disabled_at = null, disabled_reason = null` : sql``}
      ${enabled === false ? sql`, disabled_at = coalesce(disabled_at, ${now}), disabled_reason = coalesce(disabled_reason, 'manual')` : sql``}
      ${enabled === true || url !== undefined ? sql`, failing_since = null` : sql``}
    where id = ${endpointId} and workspace_id = ${workspaceId} returning ${endpointColumns(sql)}`;
  return requireEndpoint(row);
}

/** Deletes an endpoint with its deliveries and their log. Pending deliveries are not sent any more. @throws ServiceError `webhook_endpoint_not_found` */
export async function deleteWebhookEndpoint(
  sql: Queryable,
  { workspaceId, endpointId }: EndpointKey,
): Promise<void> {
  const [row] = await sql<EndpointRow[]>`
    delete from webhook_endpoints where id = ${endpointId} and workspace_id = ${workspaceId} returning ${endpointColumns(sql)}`;
  requireEndpoint(row);
}

/** Creates a new secret. The old one also signs for a day, so that receivers can change over without losing webhooks. @throws ServiceError `webhook_endpoint_not_found` */
export async function rotateWebhookSecret(
  sql: Queryable,
  secrets: WebhookSecrets,
  { workspaceId, endpointId, now }: EndpointKey & { now: number },
): Promise<WebhookEndpointWithSecret> {
  const { secret, sealed } = secrets.create();
  const [row] = await sql<EndpointRow[]>`
    update webhook_endpoints set old_secret_sealed = secret_sealed, secret_sealed = ${sealed},
      old_secret_ends_at = ${now + webhookSecretOverlapMs}, updated_at = ${now}
    where id = ${endpointId} and workspace_id = ${workspaceId} returning ${endpointColumns(sql)}`;
  return { endpoint: requireEndpoint(row), secret };
}

/** Returns the current secret. @throws ServiceError `webhook_endpoint_not_found` */
export async function revealWebhookSecret(
  sql: Queryable,
  secrets: WebhookSecrets,
  { workspaceId, endpointId }: EndpointKey,
): Promise<string> {
  const [row] = await sql<{ secretSealed: Buffer }[]>`
    select secret_sealed from webhook_endpoints where id = ${endpointId} and workspace_id = ${workspaceId}`;
  if (!row) throw new ServiceError('webhook_endpoint_not_found');
  return secrets.open(row.secretSealed);
}
