import { ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import type { PlanCatalogue, PlanPolicy } from '../../contracts/plans.ts';
import { workflowIds } from '../../contracts/processes/workflows.ts';
import type {
  CreateRenderJobBody,
  RenderJob,
  RerenderBody,
} from '../../contracts/rest/schemas/render-jobs.ts';
import type { Transaction } from '../database/connection.ts';
import { enqueue } from '../database/outbox.ts';
import { debitRenderJob } from '../usage/quotas.ts';
import { assertStorageLeft } from '../usage/storage-usage.ts';
import { lockWorkspace } from '../workspaces/workspaces.ts';
import { admitNewJob } from './admission.ts';
import { hashPayload, type Payload } from './payloads.ts';
import { toRenderJobStartMessage } from './render-job-start.ts';
import { getRenderJob, getStoredRenderJob } from './render-jobs.ts';
import { resolveRenderTarget } from './render-target.ts';

/** The input for a new job. */
export interface AcceptRenderJobInput {
  readonly workspaceId: string;
  readonly body: CreateRenderJobBody;
  readonly payload: Payload;
  readonly plans: PlanCatalogue;
  readonly policy: PlanPolicy;
  readonly retryDelaysMs: readonly number[];
  readonly requestId: string;
  readonly now: number;
  /** The target of an earlier job of a url deploy. It is used instead of the current one. */
  readonly pinnedTargetUrl?: string;
}

/**
 * Accepts a job that repeats an ended one: it renders the same version or target, with a payload of the same hash.
 *
 * @throws ServiceError `render_job_not_found` | `render_job_active` | `payload_mismatch`, and all that `acceptRenderJob` throws
 */
export async function acceptRerender(
  tx: Transaction,
  input: Omit<AcceptRenderJobInput, 'body'> & {
    readonly jobId: string;
    readonly body: RerenderBody;
  },
): Promise<RenderJob> {
  const { jobId, workspaceId, body, payload } = input;
  const { job, targetUrl } = await getStoredRenderJob(tx, workspaceId, jobId);
  if (job.finishedAt === undefined) throw new ServiceError('render_job_active');
  if (hashPayload(payload) !== job.payloadHash) throw new ServiceError('payload_mismatch');
  const { deployId, deployVersionId, businessKey, outputMode } = job;
  return acceptRenderJob(tx, {
    ...input,
    ...(targetUrl !== null && { pinnedTargetUrl: targetUrl }),
    body: {
      ...body,
      deployId,
      deployVersionId: targetUrl === null ? deployVersionId : 'latest',
      businessKey: body.businessKey ?? businessKey,
      outputMode: body.outputMode ?? outputMode,
    },
  });
}

/**
 * Accepts a job (REST 4.3). The caller's transaction writes the row and the payload, admits the job if there is room, and
 * enqueues the start of its workflow.
 *
 * @throws ServiceError `deploy_not_found` | `deploy_version_not_found` | `alias_not_found` | `deploy_type_conflict` |
 *   `workspace_pro_required` | `render_job_quota_exceeded` | `render_time_quota_exceeded` | `storage_limit_exceeded`
 */
export async function acceptRenderJob(
  tx: Transaction,
  input: AcceptRenderJobInput,
): Promise<RenderJob> {
  const { body, payload, policy, workspaceId, now } = input;
  const target = await resolveRenderTarget(tx, input);
  const renderTimeoutMs = Math.min(
    target.renderTimeoutMs ?? Number.POSITIVE_INFINITY,
    policy.maxRenderTimeoutMs,
  );
  const workspace = await lockWorkspace(tx, workspaceId);
  await assertStorageLeft(tx, workspaceId, policy.storageLimitBytes);
  await debitRenderJob(tx, { workspaceId, policy, now });
  const admitted = await admitNewJob(tx, input.plans, workspace);
  const id = newId('renderJob');
  const row = {
    id,
    workspaceId,
    deployId: body.deployId,
    deployVersionId: target.deployVersionId,
    targetUrl: target.targetUrl,
    businessKey: body.businessKey ?? id,
    payloadHash: hashPayload(payload),
    outputMode: body.outputMode,
    renderTimeoutMs,
    requestedAt: now,
    queuedAt: now,
    admittedAt: admitted ? now : null,
    requestId: input.requestId,
  };
  await Promise.all([
    tx`insert into render_jobs ${tx(row)}`,
    tx`insert into render_job_payloads (job_id, mime, bytes) values (${id}, ${payload.mime}, ${payload.bytes})`,
    enqueue(tx, {
      workspaceId,
      workflowId: workflowIds.renderJob(id),
      message: toRenderJobStartMessage(
        { ...row, ...target, jobId: id, admitted, renderTimeoutMs },
        input.retryDelaysMs,
      ),
    }),
  ]);
  return getRenderJob(tx, workspaceId, id);
}
