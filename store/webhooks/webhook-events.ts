import type { WebhookDelivery } from '../../contracts/admin/webhooks.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { workflowIds, workflowTypes } from '../../contracts/processes/workflows.ts';
import type { Queryable, Transaction } from '../database/connection.ts';
import { enqueue, type OutboxMessage } from '../database/outbox.ts';
import { omitNulls } from '../database/rows.ts';
import { inTransaction } from '../database/transactions.ts';
import { getWebhookDelivery } from './webhook-deliveries.ts';

/** Creates webhook events and their deliveries. The start of each delivery's workflow is enqueued in the same transaction. */

/**
 * Creates deliveries to the enabled endpoints of a workspace in the transaction that ends a job. A workspace without endpoints
 * costs one query, which is sent together with others.
 */
export async function enqueueJobEndedWebhooks(
  tx: Transaction,
  { workspaceId, jobId, now }: { workspaceId: string; jobId: string; now: number },
): Promise<void> {
  // The lock lasts until the transaction ends, so that no endpoint is deleted before its delivery is written.
  const endpoints = await tx<{ id: string }[]>`
    select id from webhook_endpoints where workspace_id = ${workspaceId} and disabled_at is null
    order by id for key share`;
  if (endpoints.length === 0) return;
  const eventId = await insertEvent(tx, { jobId, now });
  for (const { id: endpointId } of endpoints)
    await createDelivery(tx, { workspaceId, endpointId, eventId, now });
}

/**
 * Sends an event again to the endpoint of a delivery, under the same `webhook-id`.
 *
 * @throws ServiceError `webhook_delivery_not_found` | `webhook_endpoint_disabled`
 */
export const replayWebhookDelivery = (
  sql: Queryable,
  { workspaceId, deliveryId, now }: { workspaceId: string; deliveryId: string; now: number },
): Promise<WebhookDelivery> =>
  inTransaction(sql, async (tx) => {
    const { endpointId, eventId } = await getWebhookDelivery(tx, workspaceId, deliveryId);
    await requireEnabled(tx, workspaceId, endpointId);
    const id = await createDelivery(tx, { workspaceId, endpointId, eventId, now });
    return getWebhookDelivery(tx, workspaceId, id);
  });

/**
 * Sends an example event that is marked `test`.
 *
 * @throws ServiceError `webhook_endpoint_not_found` | `webhook_endpoint_disabled`
 */
export const sendTestWebhook = (
  sql: Queryable,
  { workspaceId, endpointId, now }: { workspaceId: string; endpointId: string; now: number },
): Promise<WebhookDelivery> =>
  inTransaction(sql, async (tx) => {
    await requireEnabled(tx, workspaceId, endpointId);
    const eventId = await insertEvent(tx, { jobId: null, now });
    const id = await createDelivery(tx, { workspaceId, endpointId, eventId, now });
    return getWebhookDelivery(tx, workspaceId, id);
  });

async function requireEnabled(
  tx: Transaction,
  workspaceId: string,
  endpointId: string,
): Promise<void> {
  const [endpoint] = await tx<{ disabledAt: number | null }[]>`
    select disabled_at from webhook_endpoints
    where id = ${endpointId} and workspace_id = ${workspaceId} for key share`;
  if (!endpoint) throw new ServiceError('webhook_endpoint_not_found');
  if (endpoint.disabledAt !== null) throw new ServiceError('webhook_endpoint_disabled');
}

async function insertEvent(
  tx: Transaction,
  { jobId, now }: { jobId: string | null; now: number },
): Promise<string> {
  const id = newId('webhookEvent');
  await tx`insert into webhook_events (id, job_id, created_at) values (${id}, ${jobId}, ${now})`;
  return id;
}

async function createDelivery(
  tx: Transaction,
  delivery: { workspaceId: string; endpointId: string; eventId: string; now: number },
): Promise<string> {
  const { workspaceId, endpointId, eventId, now } = delivery;
  const id = newId('webhookDelivery');
  await tx`
    insert into webhook_deliveries (id, workspace_id, endpoint_id, event_id, created_at)
    values (${id}, ${workspaceId}, ${endpointId}, ${eventId}, ${now})`;
  await enqueueDeliveryStart(tx, id);
  return id;
}

/** The input of a delivery's workflow, and what Temporal shows about it. */
interface DeliveryStart {
  readonly deliveryId: string;
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly jobId: string | null;
  readonly deployId: string | null;
  readonly businessKey: string | null;
}

/** Enqueues the start of a delivery's workflow, unless the delivery has ended. */
export async function enqueueDeliveryStart(sql: Queryable, deliveryId: string): Promise<void> {
  const [row] = await sql<DeliveryStart[]>`
    select d.id as delivery_id, d.workspace_id, d.endpoint_id, d.event_id, e.job_id, j.deploy_id, j.business_key
    from webhook_deliveries d
      join webhook_events e on e.id = d.event_id
      left join render_jobs j on j.id = e.job_id
    where d.id = ${deliveryId} and d.state = 'pending'`;
  if (!row) return;
  await enqueue(sql, {
    workspaceId: row.workspaceId,
    workflowId: workflowIds.deliverWebhook(deliveryId),
    message: toDeliveryStartMessage(row),
  });
}

/** Creates the message that starts a delivery's workflow. It does not have the URL, which may contain a secret of the customer. */
function toDeliveryStartMessage(row: DeliveryStart): OutboxMessage {
  const { deliveryId, workspaceId, endpointId, eventId, jobId, deployId, businessKey } = row;
  return {
    kind: 'start',
    workflowType: workflowTypes.deliverWebhook,
    input: { deliveryId, workspaceId },
    summary: `Send ${jobId ? `the end of ${jobId}` : 'a test'} to ${endpointId}`,
    memo: omitNulls({ endpointId, eventId, jobId }),
    searchAttributes: omitNulls({ workspaceId, deployId, businessKey }),
  };
}
