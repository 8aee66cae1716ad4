import { z } from 'zod';

/**
 * States of all records that have a state (REST 3). Jobs and upload sessions also have a table of their legal transitions: the
 * WHERE clauses of the store are made from it.
 */

export const renderJobStatusSchema = z.enum([
  'queued',
  'rendering',
  'succeeded',
  'failed',
  'retry_scheduled',
  'canceled',
]);
export type RenderJobStatus = z.infer<typeof renderJobStatusSchema>;

export const uploadSessionStatusSchema = z.enum(['open', 'committing', 'committed', 'expired']);
export type UploadSessionStatus = z.infer<typeof uploadSessionStatusSchema>;

export const deployVersionStatusSchema = z.enum(['ready', 'deleted']);
export const webhookDeliveryStateSchema = z.enum(['pending', 'succeeded', 'failed']);
export const outputStateSchema = z.enum(['available', 'deleted']);

interface Transition<S extends string> {
  readonly from: readonly S[];
  readonly to: S;
}

export const renderJobTransitions = {
  /** A worker starts to render. From `rendering`: it takes over from a worker that was lost. */
  claim: { from: ['queued', 'rendering'], to: 'rendering' },
  succeed: { from: ['rendering'], to: 'succeeded' },
  /** From a waiting state: the plan does not allow the render any more, an outage lasted too long, or the workflow is gone. */
  fail: { from: ['queued', 'rendering', 'retry_scheduled'], to: 'failed' },
  /** The document failed in a way that may not happen again. The retry is the next attempt. */
  scheduleRetry: { from: ['rendering'], to: 'retry_scheduled' },
  /** The service has an outage. The retry is the same attempt, and nothing is charged. */
  postpone: { from: ['queued', 'rendering'], to: 'retry_scheduled' },
  requeue: { from: ['retry_scheduled'], to: 'queued' },
  /** A client or user cancels the job by an API, which cannot cancel a job that is rendering (REST 4.3). */
  cancel: { from: ['queued', 'retry_scheduled'], to: 'canceled' },
  /** An operator cancels the workflow in the Temporal UI, also while the job is rendering. */
  stop: { from: ['queued', 'rendering', 'retry_scheduled'], to: 'canceled' },
} as const satisfies Record<string, Transition<RenderJobStatus>>;

export const terminalRenderJobStatuses = ['succeeded', 'failed', 'canceled'] as const;
export type TerminalRenderJobStatus = (typeof terminalRenderJobStatuses)[number];

export const isTerminal = (status: RenderJobStatus): status is TerminalRenderJobStatus =>
  (terminalRenderJobStatuses as readonly string[]).includes(status);

/** True if the API can cancel a job in this state. */
export const isCancelable = (status: RenderJobStatus): boolean =>
  (renderJobTransitions.cancel.from as readonly RenderJobStatus[]).includes(status);

export const uploadSessionTransitions = {
  beginCommit: { from: ['open'], to: 'committing' },
  publish: { from: ['committing'], to: 'committed' },
  /** The commit failed or was canceled. The client can commit again. */
  reopen: { from: ['committing'], to: 'open' },
  /** Its time is over. It stays `open` until the clean-up does this, so uploads and commits also compare `expiresAt`. */
  expire: { from: ['open'], to: 'expired' },
} as const satisfies Record<string, Transition<UploadSessionStatus>>;
