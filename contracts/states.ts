import { z } from 'zod';

/**
 * States of the records that have any (REST 3). Of jobs and upload sessions, which have more than a beginning and an end, every
 * legal transition is a row: the store's WHERE clauses come from here.
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
  /** A worker begins; from `rendering` when it takes over from a worker that was lost. */
  claim: { from: ['queued', 'rendering'], to: 'rendering' },
  succeed: { from: ['rendering'], to: 'succeeded' },
  /** From a waiting state only by reconciliation, when the workflow was terminated by an operator. */
  fail: { from: ['queued', 'rendering', 'retry_scheduled'], to: 'failed' },
  /** After a failure of the document that may pass; the retry is its next attempt. */
  scheduleRetry: { from: ['rendering'], to: 'retry_scheduled' },
  /** While trouble of the service lasts; the retry is the same attempt, and nothing is charged. */
  postpone: { from: ['queued', 'rendering'], to: 'retry_scheduled' },
  requeue: { from: ['retry_scheduled'], to: 'queued' },
  /** By the API: a job that renders cannot be canceled (REST 4.3). */
  cancel: { from: ['queued', 'retry_scheduled'], to: 'canceled' },
  /** By an operator in the Temporal UI, who can also stop a job that renders. */
  stop: { from: ['queued', 'rendering', 'retry_scheduled'], to: 'canceled' },
} as const satisfies Record<string, Transition<RenderJobStatus>>;

export const terminalRenderJobStatuses = ['succeeded', 'failed', 'canceled'] as const;
export type TerminalRenderJobStatus = (typeof terminalRenderJobStatuses)[number];

export const isTerminal = (status: RenderJobStatus): status is TerminalRenderJobStatus =>
  (terminalRenderJobStatuses as readonly string[]).includes(status);

export const uploadSessionTransitions = {
  beginCommit: { from: ['open'], to: 'committing' },
  publish: { from: ['committing'], to: 'committed' },
  /** A commit that failed for a reason that the client can mend opens the session again. */
  reopen: { from: ['committing'], to: 'open' },
  expire: { from: ['open'], to: 'expired' },
} as const satisfies Record<string, Transition<UploadSessionStatus>>;
