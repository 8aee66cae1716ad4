import type { JobErrorCode } from '../errors.ts';
import type { RenderJobStatus } from '../states.ts';
import { minuteMs } from '../units.ts';

/** Names, ids, queues and inputs of workflows that the API, the relay and the workers share. Histories hold only ids, sizes and hashes. */

export const taskQueues = {
  /** Workflows and the activities that neither print nor send webhooks. */
  control: 'control',
  /** Printing. A worker has one slot for each document that it prints at the same time. */
  render: 'render',
  /** Webhooks. They wait for servers of customers and must not delay the activities that settle jobs. */
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
  /** A failed commit opens its session again, and the next commit is another workflow: hence the number. */
  commitUpload: (uploadSessionId: string, commitNo: number) =>
    `commit/${uploadSessionId}/${commitNo}`,
  deliverWebhook: (deliveryId: string) => `webhook/${deliveryId}`,
} as const;

/** Signal of `renderJob`: the workspace's concurrency ceiling has room for this job. */
export const admittedSignal = 'admitted';
/** Query of `renderJob`. It returns a `JobProgress`. */
export const renderJobQuery = 'renderJob';

/** Search attributes for the filters of the Temporal UI. `temporal-dev.yaml` registers them for development. */
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
  /** True if the job is already under the concurrency ceiling of the workspace: it waits for no signal. */
  readonly admitted: boolean;
  /** Time limit of one render in ms, already reduced to the limit of the plan. */
  readonly renderTimeoutMs: number;
  /** Delays before the charged retries in ms, without jitter. Recorded here, so that a replay sees the same configuration. */
  readonly retryDelaysMs: readonly number[];
}

export interface CommitUploadInput {
  readonly uploadSessionId: string;
  /** Absent in workflows that started before this field existed. */
  readonly commitNo?: number | undefined;
  readonly workspaceId: string;
}

export interface DeliverWebhookInput {
  readonly deliveryId: string;
  readonly workspaceId: string;
}

/** Result of a delivery that did not fail. A failed delivery closes its workflow as failed. */
export type DeliverWebhookResult =
  | { readonly outcome: 'delivered'; readonly attempt: number }
  /** Nothing was sent: the delivery had already ended, or its endpoint was deleted. */
  | { readonly outcome: 'nothing_to_send' };

/** Type of the failure of one attempt. The workflow schedules the next one. */
export const webhookAttemptFailure = 'webhook_attempt_failed';
/** Type of the failure that ends a delivery. */
export const webhookDeliveryFailure = 'webhook_delivery_failed';
/** Time that the receiver of a webhook has to answer. */
export const webhookAttemptTimeoutMs = 15_000;
/** Time that a webhook attempt has for PostgreSQL and the blob storage, in addition to `webhookAttemptTimeoutMs`. */
export const webhookOverheadMs = 45_000;

/** Id of the schedule that starts `cleanUp`. */
export const cleanUpScheduleId = 'clean-up';

/** Numbers of the rows and blobs that one run of the clean-up removed or changed. */
export interface CleanUpCounts {
  readonly expiredSessions: number;
  readonly sessionFiles: number;
  readonly temporaryDeploys: number;
  readonly transientOutputs: number;
  readonly purgedVersions: number;
  readonly unreferencedFiles: number;
  readonly idempotencyKeys: number;
  /** Secrets that were encrypted again with the current `SECRET_KEY`. */
  readonly resealedSecrets: number;
  readonly signInRows: number;
  readonly webhookDeliveries: number;
  readonly blobs: number;
}

/** Type of a temporary failure of the service: PostgreSQL, blob storage or a worker. Nobody is charged for it. */
export const infrastructureFailure = 'infrastructure';

/** A worker without a heartbeat for this long is lost. */
export const renderHeartbeatTimeoutMs = 6_000;
/** Time to fetch the document and to store the PDF, in addition to the time limit of the render, which the watchdog enforces. */
export const renderOverheadMs = minuteMs;

/** Identifies the claim to which a result belongs. */
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
  /** The plan does not allow the render. Nothing was claimed. */
  | { readonly outcome: 'refused'; readonly code: JobErrorCode }
  /** The job has ended, waits for a retry, or is claimed by another activity. */
  | ({ readonly outcome: 'not_claimed' } & JobSnapshot);

/** The current state of a job in its row. */
export interface JobSnapshot {
  readonly status: RenderJobStatus;
  readonly attempt: number;
  readonly retryAt: number | null;
  readonly errorCode: JobErrorCode | null;
}

export interface PostponeRenderJobInput {
  readonly jobId: string;
  readonly delayMs: number;
  /** True for the first postponement of an outage. Later ones write no log entry. */
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
    /** The job cannot be rendered. It fails even if an attempt has claimed it. */
    | { readonly kind: 'give_up'; readonly code: JobErrorCode }
    /** An operator canceled the workflow. */
    | { readonly kind: 'stop' };
}
