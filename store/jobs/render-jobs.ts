import { createHash } from 'node:crypto';
import { ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { canonicalJson } from '../../contracts/json.ts';
import { maxPayloadBytes } from '../../contracts/limits.ts';
import type { PlanCatalogue, PlanPolicy } from '../../contracts/plans.ts';
import { jobPage } from '../../contracts/processes/web-addresses.ts';
import { type RenderJobInput, workflowIds } from '../../contracts/processes/workflows.ts';
import { isJsonMime } from '../../contracts/rest/schemas/payloads.ts';
import type {
  CreateRenderJobBody,
  RenderJob,
  RerenderBody,
} from '../../contracts/rest/schemas/render-jobs.ts';
import type { Transaction } from '../database/connection.ts';
import { enqueue, type OutboxMessage } from '../database/outbox.ts';
import { resolvePointer } from '../deploys/aliases.ts';
import { debitRenderJob } from '../usage/quotas.ts';
import { assertStorageLeft } from '../usage/storage-usage.ts';
import { lockWorkspace } from '../workspaces/workspaces.ts';
import { admitNewJob } from './admission.ts';
import { getRenderJob, getStoredRenderJob } from './render-job-answers.ts';

export interface Payload {
  readonly mime: string;
  readonly bytes: Buffer;
}

/**
 * The payload as the page will get it: canonical JSON, or the given text or bytes (REST 4.3).
 *
 * @throws ServiceError `payload_too_large`
 */
export function toPayload(
  body: Pick<CreateRenderJobBody, 'payload' | 'payloadMime' | 'payloadBase64'>,
): Payload {
  const bytes =
    body.payloadBase64 !== undefined
      ? Buffer.from(body.payloadBase64, 'base64')
      : Buffer.from(
          isJsonMime(body.payloadMime) ? canonicalJson(body.payload ?? null) : String(body.payload),
        );
  if (bytes.length > maxPayloadBytes)
    throw new ServiceError(
      'payload_too_large',
      `The payload has ${bytes.length} bytes; at most ${maxPayloadBytes} are accepted: send less.`,
    );
  return { mime: body.payloadMime, bytes };
}

/** What a job will render, resolved when it is created. */
interface RenderTarget {
  readonly deploySlug: string;
  readonly deployVersionId: string;
  readonly targetUrl: string | null;
  readonly title: string;
  readonly renderTimeoutMs: number | null;
}

export interface AcceptRenderJob {
  readonly workspaceId: string;
  readonly body: CreateRenderJobBody;
  readonly payload: Payload;
  readonly plans: PlanCatalogue;
  readonly policy: PlanPolicy;
  readonly retryDelaysMs: readonly number[];
  readonly requestId: string;
  readonly now: number;
  /** Of a url deploy: the target of an earlier job, instead of today's. */
  readonly pinnedTargetUrl?: string;
}

/**
 * Accepts a job that renders again what an ended one did: the same version or target, with a payload of the same hash.
 *
 * @throws ServiceError `render_job_not_found` | `render_job_active` | `payload_mismatch`, and what `acceptRenderJob` throws
 */
export async function acceptRerender(
  tx: Transaction,
  input: Omit<AcceptRenderJob, 'body'> & { readonly jobId: string; readonly body: RerenderBody },
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

/** What is kept of a payload when it is gone. */
export const hashPayload = ({ bytes }: Payload): string =>
  createHash('sha256').update(bytes).digest('hex');

/**
 * Accepts a job: the row, its payload, its place under the ceiling and the start of its workflow, in the caller's one
 * transaction (REST 4.3).
 *
 * @throws ServiceError `deploy_not_found` | `deploy_version_not_found` | `alias_not_found` | `deploy_type_conflict` |
 *   `workspace_pro_required` | `render_job_quota_exceeded` | `render_time_quota_exceeded` | `storage_limit_exceeded`
 */
export async function acceptRenderJob(tx: Transaction, input: AcceptRenderJob): Promise<RenderJob> {
  const { body, payload, policy, workspaceId, now } = input;
  const target = await resolveTarget(tx, input);
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
      message: renderJobStart(
        { ...row, ...target, jobId: id, admitted, renderTimeoutMs },
        input.retryDelaysMs,
      ),
    }),
  ]);
  return getRenderJob(tx, workspaceId, id);
}

/** What the workflow of a job is started with, and what Temporal shows of it. */
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

/** The message that starts a job's workflow; also made again by reconciliation. */
export function renderJobStart(
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

async function resolveTarget(tx: Transaction, input: AcceptRenderJob): Promise<RenderTarget> {
  const { deployId, deployVersionId: wanted } = input.body;
  const [deploy] = await tx<
    { slug: string; targetUrl: string | null; name: string; temporary: boolean }[]
  >`
    select slug, target_url, name, temporary from deploys
    where id = ${deployId} and workspace_id = ${input.workspaceId} and deleted_at is null`;
  if (!deploy) throw new ServiceError('deploy_not_found');
  if (deploy.temporary) await assertFirstJob(tx, input.workspaceId, deployId);
  if (deploy.targetUrl === null)
    return resolveVersion(tx, { id: deployId, slug: deploy.slug }, wanted);
  if (wanted !== 'latest')
    throw new ServiceError(
      'deploy_type_conflict',
      'A url deploy renders only "latest": leave deployVersionId out.',
    );
  if (!input.policy.allowExternalNetwork)
    throw new ServiceError(
      'workspace_pro_required',
      'The plan of this workspace has no external network, which a url deploy needs: change to the higher plan.',
    );
  const targetUrl = input.pinnedTargetUrl ?? deploy.targetUrl;
  return snapshotUrl(
    tx,
    { id: deployId, slug: deploy.slug, name: deploy.name, targetUrl },
    input.now,
  );
}

/** A deploy that was made for one render takes one job. */
async function assertFirstJob(
  tx: Transaction,
  workspaceId: string,
  deployId: string,
): Promise<void> {
  // The workspace first, as where a version of the deploy is published.
  await lockWorkspace(tx, workspaceId);
  await tx`select from deploys where id = ${deployId} for no key update`;
  const jobs = await tx`select 1 from render_jobs where deploy_id = ${deployId} limit 1`;
  if (jobs.length > 0)
    throw new ServiceError(
      'deploy_type_conflict',
      'The deploy was made for one render: upload it again.',
    );
}

/** A version by its id, by `latest`, or by the name of an alias; locked, so that it is not deleted before the job is there. */
async function resolveVersion(
  tx: Transaction,
  deploy: { id: string; slug: string },
  wanted: string,
): Promise<RenderTarget> {
  const pointer = await resolvePointer(tx, deploy.id, wanted);
  if (pointer === undefined) throw new ServiceError('alias_not_found');
  const lockVersion = () => tx<{ id: string; title: string; renderTimeoutMs: number | null }[]>`
    select id, title, render_timeout_ms from deploy_versions
    where deploy_id = ${deploy.id} and status = 'ready'
      ${pointer === 'latest' ? tx`order by version_no desc limit 1` : tx`and id = ${pointer}`}
    for share`;
  let [version] = await lockVersion();
  // The newest was deleted while its lock was waited for: no row, although an older one may be ready.
  if (!version && pointer === 'latest') [version] = await lockVersion();
  if (!version) throw new ServiceError('deploy_version_not_found');
  return {
    deploySlug: deploy.slug,
    deployVersionId: version.id,
    targetUrl: null,
    title: version.title,
    renderTimeoutMs: version.renderTimeoutMs,
  };
}

/** The id that names a url deploy's target as it is now: one for each target. */
async function snapshotUrl(
  tx: Transaction,
  deploy: { id: string; slug: string; name: string; targetUrl: string },
  now: number,
): Promise<RenderTarget> {
  const [snapshot] = await tx<{ id: string }[]>`
    insert into deploy_url_snapshots (id, deploy_id, target_url, created_at)
    values (${newId('deployVersion')}, ${deploy.id}, ${deploy.targetUrl}, ${now})
    on conflict (deploy_id, target_url) do update set target_url = excluded.target_url
    returning id`;
  return {
    deploySlug: deploy.slug,
    deployVersionId: snapshot?.id ?? '',
    targetUrl: deploy.targetUrl,
    title: deploy.name,
    renderTimeoutMs: null,
  };
}
