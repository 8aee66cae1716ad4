import type { JobErrorCode } from '../../contracts/errors.ts';
import type { RenderEvent } from '../../contracts/logs.ts';
import { type PlanCatalogue, type PlanPolicy, policyOf } from '../../contracts/plans.ts';
import { currentPrintGeneration } from '../../contracts/processes/print-settings.ts';
import type { ExplicitPrintOptions } from '../../contracts/rest/schemas/commits.ts';
import type { OutputMode } from '../../contracts/rest/schemas/outputs.ts';
import type { DeployVersionWarning } from '../../contracts/rest/schemas/versions.ts';
import { renderJobTransitions } from '../../contracts/states.ts';
import type { Queryable, Sql, Transaction } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import type { RenderPackage } from '../deploys/deploy-versions.ts';
import { selectPrint } from '../deploys/version-print.ts';
import { reserveRenderTime, settleRenderTime } from '../usage/quotas.ts';
import type { Payload } from './render-jobs.ts';

/** What a worker holds between its claim and its result. Every write names `workflowAttempt`: an older one changes nothing. */
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
  /** Print options as the commit gave them, and the generation of their defaults. */
  readonly print: ExplicitPrintOptions;
  readonly printGeneration: number;
  /** What of the version's commit was not applied. */
  readonly warnings: readonly DeployVersionWarning[];
  /** What was reserved of the month's render time. */
  readonly renderTimeoutMs: number;
  /** What an attempt that exceeds it fails with. */
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
 * Takes a job for rendering: `queued → rendering`, or from a worker that was lost. Of two activities of one job the one that
 * Temporal scheduled later wins, however late the other wakes up. A job taken over did not wait. The claim reserves the time
 * that the job may take (REST 8).
 *
 * @param scheduledAt when Temporal scheduled the calling activity, Unix ms
 * @returns undefined when the job ended, waits for a retry, belongs to a later activity, or has to wait for render time that
 *   other attempts hold
 * @throws ServiceError `render_time_quota_exceeded` when the month has no render time left; nothing was written
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

/** Rolls the transaction of a claim back. */
const undoClaim = new Error('The claim is undone.');

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
  // What a worker that was lost held is free again.
  if (workflowAttempt > 1) await settleRenderTime(tx, workspaceId, jobId);
  const reserved = await reserveRenderTime(tx, { workspaceId, policy, wantedMs, now });
  // Attempts that run hold what the month has left, and mostly give some back: the workflow asks again.
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

/** How an attempt went, in whole ms; a step that it did not reach is absent. */
export interface AttemptTimings {
  readonly loadMs?: number | undefined;
  readonly readyMs?: number | undefined;
  readonly printMs?: number | undefined;
  readonly storeMs?: number | undefined;
  readonly browserMs?: number | undefined;
}

export interface AttemptResult {
  /** `succeeded`, or the code of what ended the attempt. */
  readonly outcome: string;
  /** Of a failure, for the client. */
  readonly message?: string;
  readonly timings: AttemptTimings;
  readonly events: readonly RenderEvent[];
  readonly finishedAt: number;
}

type Attempt = Pick<ClaimedJob, 'jobId' | 'attempt' | 'workflowAttempt'>;

/** Writes down how an attempt went: once, and not of one that a later attempt has replaced. */
export async function recordAttempt(
  sql: Queryable,
  attempt: Attempt,
  result: AttemptResult,
): Promise<void> {
  const { jobId, workflowAttempt } = attempt;
  const { loadMs, readyMs, printMs, storeMs, browserMs } = result.timings;
  const recorded = await sql`
      update render_attempts set finished_at = ${result.finishedAt}, outcome = ${result.outcome},
        message = ${result.message === undefined ? null : storableText(result.message)},
        load_ms = ${loadMs ?? null}, ready_ms = ${readyMs ?? null}, print_ms = ${printMs ?? null},
        store_ms = ${storeMs ?? null}, browser_ms = ${browserMs ?? null}
      where job_id = ${jobId} and workflow_attempt = ${workflowAttempt} and finished_at is null
        and exists (select from render_jobs where id = ${jobId} and workflow_attempt = ${workflowAttempt})
      returning 1`;
  if (recorded.length > 0 && result.events.length > 0)
    await appendLogs(sql, attempt, result.events);
}

/** Adds entries to a job's log (REST 2.10). */
export const appendLogs = (
  sql: Queryable,
  { jobId, attempt, workflowAttempt }: Attempt,
  events: readonly (RenderEvent & { readonly workflowStep?: string })[],
) =>
  sql`insert into render_job_logs ${sql(
    events.map((event) => ({
      jobId,
      attempt,
      workflowAttempt,
      createdAt: event.createdAt,
      level: event.level,
      stage: event.stage,
      message: storableText(event.message),
      workflowStep: event.workflowStep ?? null,
      code: event.code ?? null,
    })),
  )}`;

/** Messages of pages are any text; what PostgreSQL cannot hold is left out. */
const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Why an attempt failed, as it was recorded. */
export async function getAttemptMessage(
  sql: Queryable,
  attempt: Pick<Attempt, 'jobId' | 'workflowAttempt'>,
): Promise<string | undefined> {
  const [row] = await sql<{ message: string | null }[]>`
    select message from render_attempts
    where job_id = ${attempt.jobId} and workflow_attempt = ${attempt.workflowAttempt}`;
  return row?.message ?? undefined;
}
