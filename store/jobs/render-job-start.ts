import { jobPage } from '../../contracts/processes/web-addresses.ts';
import type { RenderJobInput } from '../../contracts/processes/workflows.ts';
import type { OutboxMessage } from '../database/outbox.ts';

/** The input of a job's workflow, and what Temporal shows about it. */
export interface RenderJobStart {
  readonly jobId: string;
  readonly workspaceId: string;
  readonly deployId: string;
  readonly deployVersionId: string;
  readonly businessKey: string;
  readonly requestId: string;
  readonly deploySlug: string;
  readonly title: string;
  readonly admitted: boolean;
  readonly renderTimeoutMs: number;
}

/** Creates the message that starts a job's workflow. Reconciliation may create it again. */
export function toRenderJobStartMessage(
  job: RenderJobStart,
  retryDelaysMs: readonly number[],
): OutboxMessage {
  const input: RenderJobInput = {
    jobId: job.jobId,
    workspaceId: job.workspaceId,
    admitted: job.admitted,
    renderTimeoutMs: job.renderTimeoutMs,
    retryDelaysMs,
  };
  return {
    kind: 'start',
    workflowType: 'renderJob',
    input,
    page: jobPage(job.workspaceId, job.jobId),
    summary: `${job.deploySlug}: ${job.businessKey}`,
    memo: { slug: job.deploySlug, title: job.title, requestId: job.requestId },
    searchAttributes: {
      workspaceId: job.workspaceId,
      deployId: job.deployId,
      deployVersionId: job.deployVersionId,
      businessKey: job.businessKey,
    },
  };
}
