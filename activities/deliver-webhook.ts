import { ApplicationFailure } from '@temporalio/common';
import type { WebhookAttempt } from '../contracts/admin/webhooks.ts';
import {
  type DeliverWebhookInput,
  type DeliverWebhookResult,
  webhookAttemptFailure,
  webhookDeliveryFailure,
} from '../contracts/processes/workflows.ts';
import { dayMs, KiB } from '../contracts/units.ts';
import { type PostAnswer, PostFailed, post } from '../network/post.ts';
import {
  type AttemptVerdict,
  failDelivery,
  findPendingDelivery,
  type PendingDelivery,
  recordWebhookAttempt,
} from '../store/webhooks/webhook-deliveries.ts';
import type { ActivityDependencies, WebhookOptions } from './dependencies.ts';
import { logAnswer, logRequest } from './webhook-log.ts';
import { createWebhookMessage } from './webhook-message.ts';

/** At most this much of the body of an answer is read. */
const maxAnswerBytes = 64 * KiB;
/** Each delay varies by up to a tenth, so that deliveries that failed together are not retried together. */
const retryJitter = 0.1;
/** A longer `Retry-After` is shortened to this, the longest delay of the default schedule. */
const maxRetryAfterMs = dayMs;
/** An attempt may start this much before its row says, because clocks differ. */
const clockToleranceMs = 1_000;
/** Delay until the row is read again when it has changed during an attempt. */
const rereadDelayMs = 1_000;
/** A receiver answers 410 (Gone) when it wants no more webhooks. */
const goneStatus = 410;

/**
 * Makes one attempt to deliver a webhook (REST 6), and records the request and the answer. When the attempt fails, it throws a
 * failure with the delay until the next attempt, and Temporal retries after that. When no attempt is left, or the endpoint is
 * disabled, the failure is final. Delivery is at least once: if a worker is
 * lost during an attempt, the attempt is made again with the same `webhook-id`.
 */
export const createDeliverWebhook =
  (dependencies: WebhookDependencies) =>
  async ({ deliveryId }: DeliverWebhookInput): Promise<DeliverWebhookResult> => {
    const { sql, webhookSecrets } = dependencies.store;
    const now = Date.now();
    const delivery = await findPendingDelivery(sql, webhookSecrets, deliveryId, now);
    if (!delivery) return { outcome: 'nothing_to_send' };
    if (!delivery.enabled) {
      await failDelivery(sql, deliveryId, now);
      throw deliveryFailed('The endpoint is disabled.');
    }
    const waitMs = dueAt(delivery, dependencies.webhooks.retryScheduleMs) - now;
    if (waitMs > clockToleranceMs) throw nextAttemptIn(waitMs, 'It is not due yet.');
    return attemptDelivery(dependencies, delivery, now);
  };

type WebhookDependencies = Pick<ActivityDependencies, 'store' | 'webhooks' | 'log'>;

async function attemptDelivery(
  { store, webhooks, log }: WebhookDependencies,
  delivery: PendingDelivery,
  startedAt: number,
): Promise<DeliverWebhookResult> {
  const { id: deliveryId, workspaceId, eventId } = delivery;
  const attempt = delivery.attempts + 1;
  const message = await createWebhookMessage(store, delivery, startedAt);
  const outcome = await send(new URL(delivery.url), message, webhooks);
  const now = Date.now();
  const verdict = decide(outcome, attempt, now, webhooks.retryScheduleMs);
  const timing = { attempt, startedAt, durationMs: now - startedAt };
  const recorded = await recordWebhookAttempt(store.sql, {
    deliveryId,
    url: delivery.url,
    attempt: { ...timing, ...logRequest(message), ...outcome.log },
    verdict,
    now,
  });
  const { status } = outcome;
  log.info(
    { workspaceId, deliveryId, eventId, attempt, status, state: verdict.state },
    'a webhook was sent',
  );
  // The endpoint was deleted meanwhile, or another worker recorded this attempt. The next try reads the row again.
  if (!recorded) throw nextAttemptIn(rereadDelayMs, 'Its row has changed meanwhile.');
  if (verdict.state === 'succeeded') return { outcome: 'delivered', attempt };
  const reason = `Attempt ${attempt}: ${outcome.log.error ?? `HTTP ${status}.`}`;
  throw verdict.state === 'pending'
    ? nextAttemptIn(verdict.nextAttemptAt - now, reason)
    : deliveryFailed(reason);
}

/** The row has the time of the next attempt, so that a workflow that is lost and started again continues there. */
const dueAt = ({ nextAttemptAt, createdAt }: PendingDelivery, [first = 0]: readonly number[]) =>
  nextAttemptAt ?? createdAt + first;

interface Outcome {
  /** Undefined when there was no answer. */
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly log: Partial<WebhookAttempt>;
}

async function send(
  url: URL,
  message: Parameters<typeof post>[1],
  { egressAllow, attemptTimeoutMs: timeoutMs, network }: WebhookOptions,
): Promise<Outcome> {
  let answer: PostAnswer;
  try {
    answer = await post(url, message, { egressAllow, timeoutMs, maxAnswerBytes, network });
  } catch (error) {
    if (!(error instanceof PostFailed)) throw error;
    return { status: undefined, retryAfter: undefined, log: { error: error.message } };
  }
  return {
    status: answer.status,
    retryAfter: answer.headers['retry-after'],
    log: logAnswer(answer),
  };
}

/** Only a 2xx status counts as received. A redirect is not followed and counts as a failure. */
function decide(
  { status = 0, retryAfter }: Outcome,
  attempt: number,
  now: number,
  scheduleMs: readonly number[],
): AttemptVerdict {
  if (status >= 200 && status < 300) return { state: 'succeeded' };
  const gone = status === goneStatus;
  const delayMs = scheduleMs[attempt];
  if (gone || delayMs === undefined) return { state: 'failed', gone };
  const requestedMs = Math.min(parseRetryAfter(retryAfter, now), maxRetryAfterMs);
  return { state: 'pending', nextAttemptAt: now + Math.max(jitter(delayMs), requestedMs) };
}

const jitter = (ms: number): number => Math.round(ms * (1 + retryJitter * (2 * Math.random() - 1)));

/** Parses seconds or a date (RFC 9110 10.2.3) to milliseconds from now. Returns 0 for anything else. */
export function parseRetryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/** Temporal does not accept a delay of zero. */
const minDelayMs = 1;

const nextAttemptIn = (delayMs: number, message: string): ApplicationFailure =>
  ApplicationFailure.create({
    type: webhookAttemptFailure,
    message,
    nextRetryDelay: Math.max(minDelayMs, Math.round(delayMs)),
  });

const deliveryFailed = (message: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(message, webhookDeliveryFailure);
