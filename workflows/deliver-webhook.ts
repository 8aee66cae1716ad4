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
 * Brings one event to one endpoint (REST 6). Each attempt is a try of the one activity, whose failure says when the next is
 * due, or that there is none; the retry policy here is for trouble of ours. One that an operator cancels or terminates is
 * ended by reconciliation.
 */
export function deliverWebhook(input: DeliverWebhookInput): Promise<DeliverWebhookResult> {
  const { sendWebhook } = proxyActivities<WebhookActivities>({
    taskQueue: taskQueues.webhooks,
    startToCloseTimeout: webhookAttemptTimeoutMs + webhookOverheadMs,
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    priority: { fairnessKey: input.workspaceId },
    summary: 'Sign and send, with links made for this attempt',
  });
  return sendWebhook(input);
}
