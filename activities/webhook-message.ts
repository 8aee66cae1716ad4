import { Webhook } from 'standardwebhooks';
import { webhookLinkLifetimeSeconds } from '../contracts/limits.ts';
import type { RenderJob } from '../contracts/rest/schemas/render-jobs.ts';
import { type WebhookEvent, webhookEventType } from '../contracts/rest/schemas/webhooks.ts';
import packageJson from '../package.json' with { type: 'json' };
import { type Access, createSignedLinks } from '../store/blobs/signed-links.ts';
import { findOutputFile } from '../store/jobs/outputs.ts';
import { getRenderJobAnswer } from '../store/jobs/render-job-answers.ts';
import type { Store } from '../store/store.ts';
import type { PendingDelivery } from '../store/webhooks/webhook-deliveries.ts';

/** The HTTP request of one attempt. */
export interface WebhookMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const userAgent = `document-rendering-service/${packageJson.version}`;

/** Builds the message of an attempt, with the job as it is now, new links, and a new signature. */
export async function createWebhookMessage(
  store: Store,
  delivery: PendingDelivery,
  now: number,
): Promise<WebhookMessage> {
  const event: WebhookEvent = {
    type: webhookEventType,
    timestamp: new Date(delivery.happenedAt).toISOString(),
    ...(delivery.jobId === null
      ? { test: true, data: { job: exampleJob(delivery.happenedAt) } }
      : { data: await describeJob(store, delivery.workspaceId, delivery.jobId, now) }),
  };
  const body = JSON.stringify(event);
  const { eventId, secrets } = delivery;
  const signedAt = new Date(now);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(eventId, signedAt, body));
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(now / 1_000)),
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

async function describeJob(
  store: Store,
  workspaceId: string,
  jobId: string,
  now: number,
): Promise<WebhookEvent['data']> {
  const { job, output, pdf } = await getRenderJobAnswer(store.sql, workspaceId, jobId);
  const access = output?.state === 'available' ? await createLinks(store, jobId, now) : undefined;
  return { job, ...(output && { output }), ...(pdf && { pdf }), ...(access && { access }) };
}

async function createLinks(
  { sql, blobs }: Store,
  jobId: string,
  now: number,
): Promise<{ download: Access; preview: Access } | undefined> {
  const file = await findOutputFile(sql, jobId);
  if (!file) return undefined;
  const [download, preview] = await createSignedLinks(blobs, file, ['attachment', 'inline'], {
    expiresInSeconds: webhookLinkLifetimeSeconds,
    startsAt: now,
  });
  return download && preview && { download, preview };
}

const exampleSuffix = '01jd2m5k8xe7v9q4t6w3r1n0ab';

/** A well-formed job that does not exist, for test webhooks. */
const exampleJob = (now: number): RenderJob => ({
  id: `job_${exampleSuffix}`,
  deployId: `dpl_${exampleSuffix}`,
  deployVersionId: `ver_${exampleSuffix}`,
  deployVersionNo: 1,
  businessKey: 'test',
  payloadHash: '0'.repeat(64),
  status: 'succeeded',
  attempt: 0,
  requestedAt: now,
  startedAt: now,
  finishedAt: now,
  outputMode: 'transient',
});
