import type { JobErrorCode } from '../errors.ts';
import type { RenderJobStatus } from '../states.ts';
import { minuteMs } from '../units.ts';

/** What the API, the relay and the workers agree on about workflows: names, ids, queues, inputs. Histories hold only ids, sizes and hashes. */

export const taskQueues = {
  /** Workflows, and the activities that do not print. */
  control: 'control',
  /** Printing: as many slots as a worker has browsers at work. */
  render: 'render',
  /** Webhooks: they wait for strangers, and may not hold up what settles jobs. */
  webhooks: 'webhooks',
} as const;

export const workflowTypes = {
  renderJob: 'renderJob',
  commitUpload: 'commitUpload',
  deliverWebhook: 'deliverWebhook',
  cleanUp: 'cleanUp',
} as const;
export type WorkflowType = keyof typeof workflowTypes;

export const workflowIds = {
  renderJob: (jobId: string) => `render-job/${jobId}`,
  /** Numbered: a commit that failed opens its session again, and the next one is another workflow. */
  commitUpload: (uploadSessionId: string, commitNo: number) =>
    `commit/${uploadSessionId}/${commitNo}`,
  deliverWebhook: (deliveryId: string) => `webhook/${deliveryId}`,
} as const;

/** Signal of `renderJob`: the workspace's concurrency ceiling has room for this job. */
export const admittedSignal = 'admitted';
/** Query of `renderJob`: what it waits for; see `JobProgress`. */
export const renderJobQuery = 'renderJob';

/** Search attributes by which operators filter in the Temporal UI; `temporal-dev.yaml` registers them. */
export const searchAttributes = {
  workspaceId: 'WorkspaceId',
  deployId: 'DeployId',
  deployVersionId: 'DeployVersionId',
  businessKey: 'BusinessKey',
  jobStatus: 'JobStatus',
  errorCode: 'ErrorCode',
  attempt: 'Attempt',
} as const;

export interface RenderJobInput {
  readonly jobId: string;
  readonly workspaceId: string;
  /** Already under the workspace's ceiling, so that no signal is needed. */
  readonly admitted: boolean;
  /** Limit of one render, in ms, clamped to the plan when the job was accepted. */
  readonly renderTimeoutMs: number;
  /** Delays before the charged retries, in ms, before jitter: configuration, recorded here so that a replay sees the same. */
  readonly retryDelaysMs: readonly number[];
}

export interface CommitUploadInput {
  readonly uploadSessionId: string;
  /** Absent in workflows that began before it was recorded. */
  readonly commitNo?: number | undefined;
  readonly workspaceId: string;
}

export interface DeliverWebhookInput {
  readonly deliveryId: string;
  readonly workspaceId: string;
}

/** How a delivery ended well; one that failed closes its workflow as failed. */
export type DeliverWebhookResult =
  | { readonly outcome: 'delivered'; readonly attempt: number }
  /** It had ended, or its endpoint was deleted: nothing was sent. */
  | { readonly outcome: 'nothing_to_send' };

/** Type of the failure of one attempt; the next is scheduled by it. */
export const webhookAttemptFailure = 'webhook_attempt_failed';
/** Type of the failure that ends a delivery. */
export const webhookDeliveryFailure = 'webhook_delivery_failed';
/** An attempt has 15 s to be answered; the rest is for PostgreSQL and the blob storage. */
export const webhookAttemptTimeoutMs = 15_000;
export const webhookOverheadMs = 45_000;

/** Id of the schedule that starts `cleanUp`. */
export const cleanUpScheduleId = 'clean-up';

/** How many of each the clean-up removed in one run. */
export interface CleanUpCounts {
  readonly expiredSessions: number;
  readonly sessionFiles: number;
  readonly temporaryDeploys: number;
  readonly transientOutputs: number;
  readonly purgedVersions: number;
  readonly unreferencedFiles: number;
  readonly idempotencyKeys: number;
  /** Sealed again under the current `SECRET_KEY`. */
  readonly resealedSecrets: number;
  readonly signInRows: number;
  readonly webhookDeliveries: number;
  readonly blobs: number;
}

/** Type of a failure that is ours and passes: PostgreSQL, blob storage, a worker. Nobody is charged with it. */
export const infrastructureFailure = 'infrastructure';

/** Heartbeats missed for so long mean that the worker is lost. */
export const renderHeartbeatTimeoutMs = 6_000;
/** Beyond the render's own limit, which its watchdog holds: time to fetch the document and to store the PDF. */
export const renderOverheadMs = minuteMs;

/** Which claim a result belongs to. */
export interface AttemptFence {
  readonly attempt: number;
  readonly workflowAttempt: number;
}

export type RenderDocumentResult =
  | ({
      readonly outcome: 'succeeded';
      readonly bytes: number;
      readonly pageCount: number;
      readonly sha256: string;
    } & AttemptFence)
  /** The plan does not let it render; nothing was claimed. */
  | { readonly outcome: 'refused'; readonly code: JobErrorCode }
  /** The job has ended, waits for a retry, or is another activity's. */
  | ({ readonly outcome: 'not_claimed' } & JobSnapshot);

/** Where a job's row stands. */
export interface JobSnapshot {
  readonly status: RenderJobStatus;
  readonly attempt: number;
  readonly retryAt: number | null;
  readonly errorCode: JobErrorCode | null;
}

export interface PostponeRenderJobInput {
  readonly jobId: string;
  readonly delayMs: number;
  /** The trouble has just begun: the job's log tells it once. */
  readonly begins: boolean;
}

export interface SettleRenderJobInput {
  readonly jobId: string;
  readonly workspaceId: string;
  readonly decision:
    | { readonly kind: 'fail'; readonly code: JobErrorCode; readonly workflowAttempt: number }
    | {
        readonly kind: 'retry';
        readonly code: JobErrorCode;
        readonly workflowAttempt: number;
        readonly delayMs: number;
      }
    /** The job cannot be rendered here: whichever attempt holds it loses it. */
    | { readonly kind: 'give_up'; readonly code: JobErrorCode }
    /** Its workflow was canceled. */
    | { readonly kind: 'stop' };
}
