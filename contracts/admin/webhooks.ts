import { z } from 'zod';
import { milliseconds, timestamp } from '../fields.ts';
import { pageOf, pageQuery } from '../pagination.ts';
import { webhookDeliveryStateSchema } from '../states.ts';

/** Webhook endpoints and deliveries (REST 6) in the admin router. */

const maxUrlLength = 2_048;

/** HTTPS, so that the receiver proves who it is. Plain HTTP works only for a host and port that the operator has allowed. */
const webhookUrl = z
  .url({ protocol: /^https?$/ })
  .max(maxUrlLength)
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && !url.username && !url.password && !url.hash;
  }, 'a URL without user, password and fragment');

export const createWebhookEndpointBody = z.strictObject({ url: webhookUrl });
export const updateWebhookEndpointBody = z.strictObject({
  url: webhookUrl.optional(),
  enabled: z.boolean().optional(),
});

export const webhookEndpointSchema = z
  .strictObject({
    id: z.string(),
    url: z.url(),
    enabled: z.boolean(),
    disabledAt: timestamp.optional(),
    disabledReason: z.enum(['manual', 'gone', 'failing']).optional().meta({
      description:
        '`gone`: the endpoint answered 410. `failing`: all deliveries of five days failed.',
    }),
    oldSecretEndsAt: timestamp
      .optional()
      .meta({ description: 'Until then the old secret signs too.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'WebhookEndpoint' });

/** An endpoint with the secret that signs its webhooks. */
export const webhookEndpointWithSecret = z.strictObject({
  endpoint: webhookEndpointSchema,
  secret: z.string(),
});
export const webhookSecretSchema = webhookEndpointWithSecret.pick({ secret: true });

export const webhookDeliverySchema = z
  .strictObject({
    id: z.string(),
    endpointId: z.string(),
    eventId: z.string().meta({ description: 'The `webhook-id` of each attempt.' }),
    jobId: z.string().optional().meta({ description: 'Absent for a test webhook.' }),
    state: webhookDeliveryStateSchema,
    attempts: z.int().nonnegative(),
    nextAttemptAt: timestamp.optional(),
    createdAt: timestamp,
    finishedAt: timestamp.optional(),
  })
  .meta({ id: 'WebhookDelivery' });

const headers = z.record(z.string(), z.string());

/** One attempt of a delivery. Its bodies are shortened, and signed links in them do not work. */
export const webhookAttemptSchema = z
  .strictObject({
    attempt: z.int().positive(),
    startedAt: timestamp,
    durationMs: milliseconds,
    requestHeaders: headers,
    requestBody: z.string(),
    responseStatus: z.int().optional(),
    responseHeaders: headers.optional(),
    responseBody: z.string().optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'WebhookAttempt' });

export const webhookDeliveryListQuery = pageQuery.extend({
  endpointId: z.string().optional(),
  state: webhookDeliveryStateSchema.optional(),
});
export const webhookDeliveryListAnswer = pageOf(webhookDeliverySchema);
export const webhookDeliveryAnswer = z.strictObject({
  delivery: webhookDeliverySchema,
  attempts: z.array(webhookAttemptSchema),
});

export type WebhookEndpoint = z.infer<typeof webhookEndpointSchema>;
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;
export type WebhookAttempt = z.infer<typeof webhookAttemptSchema>;
export type WebhookDeliveryAnswer = z.infer<typeof webhookDeliveryAnswer>;
export type WebhookDeliveryListQuery = z.output<typeof webhookDeliveryListQuery>;
export type UpdateWebhookEndpointBody = z.output<typeof updateWebhookEndpointBody>;
