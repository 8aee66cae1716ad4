import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryAnswer,
  WebhookDeliveryListQuery,
} from '../../contracts/admin/webhooks.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { webhookFailingMs } from '../../contracts/limits.ts';
import { clausesFor } from '../database/clauses.ts';
import type { Queryable, Sql } from '../database/connection.ts';
import { type Cursors, newestFirst, type Page, readPage } from '../database/cursors.ts';
import { type Nullable, omitNulls } from '../database/rows.ts';
import { inTransaction } from '../database/transactions.ts';
import type { WebhookSecrets } from '../secrets/webhook-secrets.ts';

/** Deliveries of webhooks and the log of their attempts. */

type DeliveryRow = Nullable<WebhookDelivery>;

const selectDeliveries = (sql: Queryable) => sql`
  select d.id, d.endpoint_id, d.event_id, e.job_id, d.state, d.attempts, d.next_attempt_at, d.created_at, d.finished_at
  from webhook_deliveries d join webhook_events e on e.id = d.event_id`;

const toDelivery = (row: DeliveryRow): WebhookDelivery => omitNulls(row);

/** @throws ServiceError `webhook_delivery_not_found` */
export async function getWebhookDelivery(
  sql: Queryable,
  workspaceId: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const [row] = await sql<DeliveryRow[]>`
    ${selectDeliveries(sql)} where d.id = ${deliveryId} and d.workspace_id = ${workspaceId}`;
  if (!row) throw new ServiceError('webhook_delivery_not_found');
  return toDelivery(row);
}

/** Gets a delivery with all its attempts, oldest first. @throws ServiceError `webhook_delivery_not_found` */
export async function getWebhookDeliveryAnswer(
  sql: Queryable,
  workspaceId: string,
  deliveryId: string,
): Promise<WebhookDeliveryAnswer> {
  const delivery = await getWebhookDelivery(sql, workspaceId, deliveryId);
  const attempts = await sql<Nullable<WebhookAttempt>[]>`
    select attempt, started_at, duration_ms, request_headers, request_body, response_status, response_headers,
      response_body, error
    from webhook_attempts where delivery_id = ${deliveryId} order by attempt`;
  return { delivery, attempts: attempts.map((attempt) => omitNulls(attempt)) };
}

/** Lists the deliveries that match the filters, newest first. */
export function listWebhookDeliveries(
  sql: Sql,
  cursors: Cursors,
  workspaceId: string,
  { cursor, limit, ...filter }: WebhookDeliveryListQuery,
): Promise<Page<WebhookDelivery>> {
  const list = `webhook-deliveries ${workspaceId} ${JSON.stringify(filter)}`;
  const ifDefined = clausesFor(sql);
  return readPage(
    cursors,
    list,
    { cursor, limit },
    {
      read: (position) => sql<DeliveryRow[]>`
      ${selectDeliveries(sql)} where d.workspace_id = ${workspaceId}
        ${ifDefined(filter.endpointId, (id) => sql`and d.endpoint_id = ${id}`)}
        ${ifDefined(filter.state, (state) => sql`and d.state = ${state}`)}
        ${newestFirst(sql, sql`d.id`, position)}`,
      toItem: toDelivery,
      toPosition: ({ id }) => id,
    },
  );
}

/** The data that an attempt needs. It is read for each attempt. */
export interface PendingDelivery {
  readonly id: string;
  readonly workspaceId: string;
  /** How many attempts have ended. The first attempt sees 0. */
  readonly attempts: number;
  readonly nextAttemptAt: number | null;
  readonly createdAt: number;
  readonly eventId: string;
  readonly happenedAt: number;
  /** Null for a test event. */
  readonly jobId: string | null;
  readonly url: string;
  readonly enabled: boolean;
  /** Every secret that signs at present: one, or two after a rotation. */
  readonly secrets: readonly string[];
}

interface PendingRow extends Omit<PendingDelivery, 'secrets'> {
  readonly secretSealed: Buffer;
  readonly oldSecretSealed: Buffer | null;
  readonly oldSecretEndsAt: number | null;
}

/** Finds a pending delivery. It returns undefined if the delivery has ended or was deleted with its endpoint. */
export async function findPendingDelivery(
  sql: Queryable,
  secrets: WebhookSecrets,
  deliveryId: string,
  now: number,
): Promise<PendingDelivery | undefined> {
  const [row] = await sql<PendingRow[]>`
    select d.id, d.workspace_id, d.attempts, d.next_attempt_at, d.created_at, d.event_id, v.created_at as happened_at,
      v.job_id, e.url, e.disabled_at is null as enabled, e.secret_sealed, e.old_secret_sealed, e.old_secret_ends_at
    from webhook_deliveries d
      join webhook_events v on v.id = d.event_id
      join webhook_endpoints e on e.id = d.endpoint_id
    where d.id = ${deliveryId} and d.state = 'pending'`;
  if (!row) return undefined;
  const { secretSealed, oldSecretSealed, oldSecretEndsAt, ...delivery } = row;
  const sealed = [secretSealed];
  if (oldSecretSealed && now < (oldSecretEndsAt ?? 0)) sealed.push(oldSecretSealed);
  return { ...delivery, secrets: sealed.map((secret) => secrets.open(secret)) };
}

/** The new state of a delivery after an attempt. */
export type AttemptVerdict =
  | { readonly state: 'succeeded' }
  | { readonly state: 'pending'; readonly nextAttemptAt: number }
  /** `gone`: the receiver answered 410 and wants no more webhooks. */
  | { readonly state: 'failed'; readonly gone: boolean };

/**
 * Records an attempt, and updates its delivery and its endpoint. The endpoint is disabled when it is gone, or when all its
 * attempts have failed for five days.
 *
 * @returns false if the delivery has ended or the attempt is already recorded; then nothing was written
 */
export const recordWebhookAttempt = (
  sql: Sql,
  input: {
    deliveryId: string;
    /** The URL of the attempt. If the endpoint has another URL by now, a 410 does not disable it. */
    url: string;
    attempt: WebhookAttempt;
    verdict: AttemptVerdict;
    now: number;
  },
): Promise<boolean> =>
  inTransaction(sql, async (tx) => {
    const { deliveryId, url, attempt, verdict, now } = input;
    // The endpoint is locked first, in the same order as when it is deleted.
    const [endpoint] = await tx<{ id: string; url: string }[]>`
      select e.id, e.url from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
      where d.id = ${deliveryId} for no key update of e`;
    if (!endpoint) return false;
    const [updated] = await tx`
      update webhook_deliveries set state = ${verdict.state}, attempts = ${attempt.attempt},
        next_attempt_at = ${verdict.state === 'pending' ? verdict.nextAttemptAt : null},
        finished_at = ${verdict.state === 'pending' ? null : now}
      where id = ${deliveryId} and state = 'pending' and attempts = ${attempt.attempt - 1} returning 1`;
    if (!updated) return false;
    await tx`insert into webhook_attempts ${tx({
      deliveryId,
      ...attempt,
      requestHeaders: tx.json(attempt.requestHeaders),
      responseStatus: attempt.responseStatus ?? null,
      responseHeaders: attempt.responseHeaders ? tx.json(attempt.responseHeaders) : null,
      responseBody: attempt.responseBody ?? null,
      error: attempt.error ?? null,
    })}`;
    if (verdict.state === 'succeeded')
      await tx`
        update webhook_endpoints set failing_since = null where id = ${endpoint.id} and failing_since is not null`;
    else
      await tx`
        update webhook_endpoints set failing_since = coalesce(failing_since, ${attempt.startedAt}) where id = ${endpoint.id}`;
    const isGone = verdict.state === 'failed' && verdict.gone && endpoint.url === url;
    await tx`
      update webhook_endpoints set disabled_at = ${now}, disabled_reason = ${isGone ? 'gone' : 'failing'}
      where id = ${endpoint.id} and disabled_at is null
        and (${isGone} or failing_since <= ${now - webhookFailingMs})`;
    return true;
  });

/** `pending → failed`: the delivery gets no more attempts. */
export async function failDelivery(sql: Queryable, deliveryId: string, now: number): Promise<void> {
  await sql`
    update webhook_deliveries set state = 'failed', next_attempt_at = null, finished_at = ${now}
    where id = ${deliveryId} and state = 'pending'`;
}

/** Deletes deliveries that ended before `endedBefore` with their log, and then events without a delivery; at most `limit` of each. */
export async function deleteOldDeliveries(
  sql: Queryable,
  endedBefore: number,
  limit: number,
): Promise<number> {
  const deleted = await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where state <> 'pending' and finished_at < ${endedBefore} limit ${limit})
    returning 1`;
  await sql`
    delete from webhook_events where id in (
      select id from webhook_events e where created_at < ${endedBefore}
        and not exists (select from webhook_deliveries d where d.event_id = e.id)
      limit ${limit})`;
  return deleted.length;
}
