import type { JobErrorCode } from '../../contracts/errors.ts';
import { type PlanCatalogue, type PlanPolicy, policyOf } from '../../contracts/plans.ts';
import { currentPrintGeneration } from '../../contracts/processes/print-settings.ts';
import type { ExplicitPrintOptions } from '../../contracts/rest/schemas/commits.ts';
import type { OutputMode } from '../../contracts/rest/schemas/outputs.ts';
import type { DeployVersionWarning } from '../../contracts/rest/schemas/versions.ts';
import { renderJobTransitions } from '../../contracts/states.ts';
import type { Sql, Transaction } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import type { RenderPackage } from '../deploys/render-packs.ts';
import { selectPrint } from '../deploys/version-print.ts';
import { reserveRenderTime, settleRenderTime } from '../usage/quotas.ts';
import type { Payload } from './payloads.ts';

/**
 * The data of a job that a worker has from its claim to its result. Every write names `workflowAttempt`: a write with an older
 * number changes nothing.
 */
export interface ClaimedJob {
  readonly jobId: string;
  readonly workspaceId: string;
  readonly attempt: number;
  readonly workflowAttempt: number;
  readonly outputMode: OutputMode;
  readonly fileStem: { readonly slug: string; readonly businessKey: string };
  readonly document:
    | { readonly type: 'package'; readonly route: string; readonly renderPackage: RenderPackage }
    | { readonly type: 'url'; readonly targetUrl: string };
  /** The print options of the commit. `printGeneration` selects the defaults of all other options. */
  readonly print: ExplicitPrintOptions;
  readonly printGeneration: number;
  /** Name the parts of the version's commit that were not applied. */
  readonly warnings: readonly DeployVersionWarning[];
  /** The time limit of the attempt. The claim has reserved this part of the month's render time for it. */
  readonly renderTimeoutMs: number;
  /** The error code of an attempt that exceeds `renderTimeoutMs`. */
  readonly timeoutCode: JobErrorCode;
  readonly policy: PlanPolicy;
  readonly payload: Payload;
  readonly payloadHash: string;
}

interface ClaimRow {
  jobId: string;
  workspaceId: string;
  attempt: number;
  workflowAttempt: number;
  queuedAt: number;
  outputMode: OutputMode;
  businessKey: string;
  slug: string;
  plan: string;
  targetUrl: string | null;
  route: string | null;
  treeHash: string | null;
  renderIndexKey: string | null;
  renderPackKey: string | null;
  print: ExplicitPrintOptions | null;
  printGeneration: number | null;
  warnings: DeployVersionWarning[] | null;
  renderTimeoutMs: number;
  mime: string;
  bytes: Buffer;
  payloadHash: string;
}

/**
 * Claims a job for rendering: `queued → rendering`, or takes it over from a worker that was lost. If two activities claim one
 * job, the one that Temporal scheduled later wins, however late the other one runs. Taking a job over adds nothing to its waiting
 * time. The claim reserves the render time that the job may use (REST 8).
 *
 * @param scheduledAt when Temporal scheduled the calling activity, Unix ms
 * @returns undefined if the job has ended, waits for a retry, was already claimed by this or a later activity, or has to wait for
 *   render time that other attempts have reserved
 * @throws ServiceError `render_time_quota_exceeded` if the month has no render time left; then nothing was written
 */
export async function claimRenderJob(
  sql: Sql,
  plans: PlanCatalogue,
  input: { jobId: string; scheduledAt: number; now: number },
): Promise<ClaimedJob | undefined> {
  const claim = inTransaction(sql, (tx) => claimWithin(tx, plans, input));
  return claim.catch((error: unknown) => {
    if (error === undoClaim) return undefined;
    throw error;
  });
}

/** Thrown to roll back the transaction of a claim. */
const undoClaim = new Error('The claim is rolled back.');

async function claimWithin(
  tx: Transaction,
  plans: PlanCatalogue,
  { jobId, scheduledAt, now }: { jobId: string; scheduledAt: number; now: number },
): Promise<ClaimedJob | undefined> {
  const { from, to } = renderJobTransitions.claim;
  const [row] = await tx<ClaimRow[]>`
    with claimed as (
      update render_jobs set status = ${to}, workflow_attempt = workflow_attempt + 1,
        claim_scheduled_at = ${scheduledAt},
        queue_wait_ms = queue_wait_ms + case when status = ${to} then 0 else greatest(0, ${now} - queued_at) end,
        queued_at = case when status = ${to} then ${now} else queued_at end, started_at = coalesce(started_at, ${now})
      where id = ${jobId} and status in ${tx(from)} and claim_scheduled_at < ${scheduledAt}
      returning *
    )
    select c.id as job_id, c.workspace_id, c.attempt, c.workflow_attempt, c.queued_at, c.output_mode, c.business_key, d.slug,
      w.plan, c.target_url, v.route, v.tree_hash, v.render_index_key, v.render_pack_key, c.render_timeout_ms,
      ${selectPrint(tx, tx`v`)}, v.print_generation, v.warnings, p.mime, p.bytes, c.payload_hash
    from claimed c
      join workspaces w on w.id = c.workspace_id
      join deploys d on d.id = c.deploy_id
      join render_job_payloads p on p.job_id = c.id
      left join deploy_versions v on v.id = c.deploy_version_id`;
  if (!row) return undefined;
  const policy = policyOf(plans, row.plan);
  const { workspaceId, attempt, workflowAttempt } = row;
  const wantedMs = Math.min(row.renderTimeoutMs, policy.maxRenderTimeoutMs);
  // Frees the render time that a lost worker had reserved.
  if (workflowAttempt > 1) await settleRenderTime(tx, workspaceId, jobId);
  const reserved = await reserveRenderTime(tx, { workspaceId, policy, wantedMs, now });
  // Running attempts have reserved what the month has left. Most of them will return a part, so the workflow asks again.
  if (!reserved) throw undoClaim;
  const { queuedAt } = row;
  await tx`
    insert into render_attempts ${tx({ jobId, workflowAttempt, attempt, queuedAt, claimedAt: now, ...reserved })}`;
  const { reservedMs } = reserved;
  return {
    ...toClaimedJob(row, policy),
    renderTimeoutMs: reservedMs,
    timeoutCode: reservedMs < wantedMs ? 'render_time_quota_exceeded' : 'render_timeout_exceeded',
  };
}

function toClaimedJob(
  row: ClaimRow,
  policy: PlanPolicy,
): Omit<ClaimedJob, 'renderTimeoutMs' | 'timeoutCode'> {
  return {
    jobId: row.jobId,
    workspaceId: row.workspaceId,
    attempt: row.attempt,
    workflowAttempt: row.workflowAttempt,
    outputMode: row.outputMode,
    fileStem: { slug: row.slug, businessKey: row.businessKey },
    document: toDocument(row),
    print: row.print ?? {},
    printGeneration: row.printGeneration ?? currentPrintGeneration,
    warnings: row.warnings ?? [],
    policy,
    payload: { mime: row.mime, bytes: row.bytes },
    payloadHash: row.payloadHash,
  };
}

function toDocument(row: ClaimRow): ClaimedJob['document'] {
  if (row.targetUrl !== null) return { type: 'url', targetUrl: row.targetUrl };
  const { route, treeHash, renderIndexKey, renderPackKey } = row;
  if (!route || !treeHash || !renderIndexKey || !renderPackKey)
    throw new Error(`Job ${row.jobId} has no version.`);
  return { type: 'package', route, renderPackage: { treeHash, renderIndexKey, renderPackKey } };
}

/** Names one attempt of a job. */
export type AttemptKey = Pick<ClaimedJob, 'jobId' | 'attempt' | 'workflowAttempt'>;
