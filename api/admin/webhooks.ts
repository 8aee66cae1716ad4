import { z } from 'zod';
import {
  createWebhookEndpointBody,
  updateWebhookEndpointBody,
  webhookDeliveryAnswer,
  webhookDeliveryListAnswer,
  webhookDeliveryListQuery,
  webhookDeliverySchema,
  webhookEndpointSchema,
  webhookEndpointWithSecret,
  webhookSecretSchema,
} from '../../contracts/admin/webhooks.ts';
import { listOf, pageInput } from '../../contracts/pagination.ts';
import {
  getWebhookDeliveryAnswer,
  listWebhookDeliveries,
} from '../../store/webhooks/webhook-deliveries.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  revealWebhookSecret,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '../../store/webhooks/webhook-endpoints.ts';
import { replayWebhookDelivery, sendTestWebhook } from '../../store/webhooks/webhook-events.ts';
import { audited } from './audited.ts';
import { memberProcedure, ownerProcedure, router } from './procedures.ts';

const endpointInput = z.object({ endpointId: z.string() });
const deliveryInput = z.object({ deliveryId: z.string() });

/** Webhook endpoints of a workspace and the log of their deliveries (REST 6). */
export const webhooksRouter = router({
  listEndpoints: memberProcedure
    .output(listOf(webhookEndpointSchema))
    .query(async ({ ctx, input: { workspaceId } }) => ({
      items: await listWebhookEndpoints(ctx.service.store.sql, workspaceId),
    })),

  createEndpoint: ownerProcedure
    .input(createWebhookEndpointBody.loose())
    .output(webhookEndpointWithSecret)
    .mutation(({ ctx, input: { workspaceId, url } }) => {
      const { config, store } = ctx.service;
      const { egressAllow } = config;
      const endpoint = { workspaceId, url, egressAllow, now: ctx.now };
      return audited(
        ctx,
        (tx) => createWebhookEndpoint(tx, store.webhookSecrets, endpoint),
        (created) => ({ target: created.endpoint.id }),
      );
    }),

  updateEndpoint: ownerProcedure
    .input(endpointInput.extend(updateWebhookEndpointBody.shape))
    .output(webhookEndpointSchema)
    .mutation(({ ctx, input }) => {
      const { egressAllow } = ctx.service.config;
      const change = { ...input, egressAllow, now: ctx.now };
      return audited(ctx, (tx) => updateWebhookEndpoint(tx, change), { target: input.endpointId });
    }),

  deleteEndpoint: ownerProcedure
    .input(endpointInput)
    .mutation(({ ctx, input }) =>
      audited(ctx, (tx) => deleteWebhookEndpoint(tx, input), { target: input.endpointId }),
    ),

  /** Creates a new secret. For one more day, webhooks are signed with both the new and the old one. */
  rotateSecret: ownerProcedure
    .input(endpointInput)
    .output(webhookEndpointWithSecret)
    .mutation(({ ctx, input }) => {
      const { webhookSecrets } = ctx.service.store;
      return audited(
        ctx,
        (tx) => rotateWebhookSecret(tx, webhookSecrets, { ...input, now: ctx.now }),
        { target: input.endpointId },
      );
    }),

  /** Shows the current secret. Reading it is also written to the audit log. */
  revealSecret: ownerProcedure
    .input(endpointInput)
    .output(webhookSecretSchema)
    .mutation(({ ctx, input }) => {
      const { webhookSecrets } = ctx.service.store;
      return audited(
        ctx,
        async (tx) => ({ secret: await revealWebhookSecret(tx, webhookSecrets, input) }),
        { target: input.endpointId },
      );
    }),

  /** Sends an event that is marked as a test. */
  test: ownerProcedure
    .input(endpointInput)
    .output(webhookDeliverySchema)
    .mutation(async ({ ctx, input }) => {
      const delivery = await audited(ctx, (tx) => sendTestWebhook(tx, { ...input, now: ctx.now }), {
        target: input.endpointId,
      });
      ctx.service.relay.wake();
      return delivery;
    }),

  listDeliveries: memberProcedure
    .input(pageInput.extend(webhookDeliveryListQuery.omit({ cursor: true, limit: true }).shape))
    .output(webhookDeliveryListAnswer)
    .query(({ ctx, input: { workspaceId, ...query } }) => {
      const { sql, cursors } = ctx.service.store;
      return listWebhookDeliveries(sql, cursors, workspaceId, query);
    }),

  getDelivery: memberProcedure
    .input(deliveryInput)
    .output(webhookDeliveryAnswer)
    .query(({ ctx, input: { workspaceId, deliveryId } }) =>
      getWebhookDeliveryAnswer(ctx.service.store.sql, workspaceId, deliveryId),
    ),

  /** Sends the event of a delivery again, with the same `webhook-id`. */
  replay: ownerProcedure
    .input(deliveryInput)
    .output(webhookDeliverySchema)
    .mutation(async ({ ctx, input }) => {
      const delivery = await audited(
        ctx,
        (tx) => replayWebhookDelivery(tx, { ...input, now: ctx.now }),
        ({ id }) => ({ target: input.deliveryId, details: { deliveryId: id } }),
      );
      ctx.service.relay.wake();
      return delivery;
    }),
});
