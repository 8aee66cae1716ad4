import { billPeriodOf } from '../../contracts/bill-period.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { PlanPolicy } from '../../contracts/plans.ts';
import type { Queryable, Transaction } from '../database/connection.ts';

/**
 * Quotas of the bill period (REST 8). Each counter is changed by one statement that also checks the limit, so that simultaneous
 * requests cannot exceed it. These rows are locked after all other rows except `storage_usage`, so that the locks are short.
 */

/**
 * Counts one deploy commit of the bill period (REST 7).
 *
 * @throws ServiceError `deploy_commit_quota_exceeded`
 */
export async function debitDeployCommit(
  tx: Transaction,
  input: { workspaceId: string; policy: PlanPolicy; now: number },
): Promise<void> {
  const { maxDeployCommitsPerBillPeriod: limit } = input.policy;
  const debited = await tx`
    insert into usage_periods as u (workspace_id, period_start, deploy_commits)
    select ${input.workspaceId}, ${billPeriodOf(input.now).start}, 1 where ${limit}::bigint is null or ${limit}::bigint > 0
    on conflict (workspace_id, period_start) do update set deploy_commits = u.deploy_commits + 1
      where ${limit}::bigint is null or u.deploy_commits < ${limit}::bigint
    returning 1`;
  if (debited.length === 0) throw new ServiceError('deploy_commit_quota_exceeded');
}

/**
 * Checks that the bill period has a commit left, so that nothing is packed that cannot be published. Only `debitDeployCommit`
 * is binding.
 *
 * @throws ServiceError `deploy_commit_quota_exceeded`
 */
export async function assertDeployCommitLeft(
  sql: Queryable,
  input: { workspaceId: string; policy: PlanPolicy; now: number },
): Promise<void> {
  const { maxDeployCommitsPerBillPeriod: limit } = input.policy;
  if (limit === null) return;
  const { deployCommits } = await getUsagePeriod(sql, input.workspaceId, input.now);
  if (deployCommits >= limit) throw new ServiceError('deploy_commit_quota_exceeded');
}

/**
 * Counts one render job of the bill period, which must also have render time left (REST 7). Render time that running attempts
 * have reserved does not count as used here: the claim decides whether the job gets any.
 *
 * @throws ServiceError `render_job_quota_exceeded` | `render_time_quota_exceeded`
 */
export async function debitRenderJob(
  tx: Transaction,
  input: { workspaceId: string; policy: PlanPolicy; now: number },
): Promise<void> {
  const { maxRenderJobsPerBillPeriod: jobs, maxRenderTimeMsPerBillPeriod: timeMs } = input.policy;
  const debited = await tx`
    insert into usage_periods as u (workspace_id, period_start, render_jobs)
    select ${input.workspaceId}, ${billPeriodOf(input.now).start}, 1
      where (${jobs}::bigint is null or ${jobs}::bigint > 0) and ${timeMs}::bigint > 0
    on conflict (workspace_id, period_start) do update set render_jobs = u.render_jobs + 1
      where (${jobs}::bigint is null or u.render_jobs < ${jobs}::bigint)
        and u.render_time_ms < ${timeMs}
    returning 1`;
  if (debited.length > 0) return;
  const { renderJobs } = await getUsagePeriod(tx, input.workspaceId, input.now);
  throw new ServiceError(
    jobs !== null && renderJobs >= jobs
      ? 'render_job_quota_exceeded'
      : 'render_time_quota_exceeded',
  );
}

/**
 * Removes a job from the count of the bill period in which it was requested. Jobs that never rendered and jobs that failed
 * because of this service do not count.
 */
export const refundRenderJob = (tx: Transaction, workspaceId: string, requestedAt: number) =>
  tx`
    update usage_periods set render_jobs = render_jobs - 1
    where workspace_id = ${workspaceId} and period_start = ${billPeriodOf(requestedAt).start}`;

/**
 * Reserves render time for an attempt. The reserved time is the attempt's time limit and the most that it is charged. It is
 * `wantedMs`. If less is left and no other attempt has reserved time, it is all that the month has left. An attempt that exceeds
 * this rest has used up the render time of the month.
 *
 * @returns the reserved time; undefined while other attempts have reserved time and less than `wantedMs` is left
 * @throws ServiceError `render_time_quota_exceeded` if all render time is used
 */
export async function reserveRenderTime(
  tx: Transaction,
  input: { workspaceId: string; policy: PlanPolicy; wantedMs: number; now: number },
): Promise<{ readonly periodStart: number; readonly reservedMs: number } | undefined> {
  const { workspaceId, policy, now } = input;
  const { start } = billPeriodOf(now);
  const reserve = () => tryReserve(tx, { ...input, periodStart: start });
  let reservedMs = await reserve();
  if (reservedMs === undefined) {
    // The first claim of a month finds no row, or one that another claim has just inserted.
    await tx`
      insert into usage_periods (workspace_id, period_start) values (${workspaceId}, ${start}) on conflict do nothing`;
    reservedMs = await reserve();
  }
  if (reservedMs !== undefined) return { periodStart: start, reservedMs };
  const { renderTimeMs } = await getUsagePeriod(tx, workspaceId, now);
  if (renderTimeMs >= policy.maxRenderTimeMsPerBillPeriod)
    throw new ServiceError('render_time_quota_exceeded');
  return undefined;
}

async function tryReserve(
  tx: Transaction,
  input: { workspaceId: string; policy: PlanPolicy; wantedMs: number; periodStart: number },
): Promise<number | undefined> {
  const { workspaceId, policy, wantedMs, periodStart } = input;
  const [row] = await tx<{ reservedMs: number }[]>`
    with free as (
      select reserved_render_time_ms as reserved,
        ${policy.maxRenderTimeMsPerBillPeriod}::bigint - render_time_ms - reserved_render_time_ms as ms
      from usage_periods where workspace_id = ${workspaceId} and period_start = ${periodStart}
      for update
    ), reserved as (
      select least(${wantedMs}, ms) as ms from free where ms > 0 and (reserved = 0 or ms >= ${wantedMs})
    )
    update usage_periods set reserved_render_time_ms = reserved_render_time_ms + reserved.ms
    from reserved where workspace_id = ${workspaceId} and period_start = ${periodStart}
    returning reserved.ms as reserved_ms`;
  return row?.reservedMs;
}

/**
 * Charges the render time of a job's ended attempts, once, and frees the time that they had reserved. An attempt is charged
 * with the time in which it held its browser, rounded up to 100 ms (REST 2.9). An attempt whose worker was lost is charged 0.
 */
export const settleRenderTime = (tx: Queryable, workspaceId: string, jobId: string) =>
  tx`
    with settled as (
      update render_attempts
      set settled = true, charged_ms = least(ceil(coalesce(browser_ms, 0) / 100.0) * 100, reserved_ms)
      where job_id = ${jobId} and not settled
      returning period_start, reserved_ms, charged_ms
    ), sums as (
      select period_start, sum(reserved_ms) as reserved_ms, sum(charged_ms) as charged_ms from settled group by period_start
    )
    update usage_periods u
    set render_time_ms = u.render_time_ms + sums.charged_ms,
      reserved_render_time_ms = u.reserved_render_time_ms - sums.reserved_ms
    from sums where u.workspace_id = ${workspaceId} and u.period_start = sums.period_start`;

export interface UsagePeriod {
  readonly deployCommits: number;
  readonly renderJobs: number;
  readonly renderTimeMs: number;
}

/** Gets the usage of a workspace in the bill period of `now`, Unix ms. */
export async function getUsagePeriod(
  sql: Queryable,
  workspaceId: string,
  now: number,
): Promise<UsagePeriod> {
  const [row] = await sql<UsagePeriod[]>`
    select deploy_commits, render_jobs, render_time_ms from usage_periods
    where workspace_id = ${workspaceId} and period_start = ${billPeriodOf(now).start}`;
  return row ?? { deployCommits: 0, renderJobs: 0, renderTimeMs: 0 };
}
