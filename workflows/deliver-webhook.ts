import { proxyActivities } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/activities.ts';
import {
  type DeliverWebhookInput,
  type DeliverWebhookResult,
  taskQueues,
  webhookAttemptTimeoutMs,
  webhookOverheadMs,
} from '../contracts/processes/workflows.ts';

/**
 * Delivers one event to one endpoint (REST 6). Each attempt is one try of the activity. Its failure says when the next attempt
 * is due, or that there is none. The retry policy below applies to outages on our side. If an operator cancels or terminates
 * the workflow, reconciliation ends the delivery.
 */
export function deliverWebhook(input: DeliverWebhookInput): Promise<DeliverWebhookResult> {
  const { sendWebhook } = proxyActivities<WebhookActivities>({
    taskQueue: taskQueues.webhooks,
    startToCloseTimeout: webhookAttemptTimeoutMs + webhookOverheadMs,
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    priority: { fairnessKey: input.workspaceId },
    summary: 'Create the links, sign, and send',
  });
  return sendWebhook(input);
}
