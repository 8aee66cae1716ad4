import { billPeriodOf, usageDayOf } from '../../contracts/bill-period.ts';
import { maxSingleFileBytes } from '../../contracts/limits.ts';
import { type PlanCatalogue, planOf } from '../../contracts/plans.ts';
import type { UsageReport } from '../../contracts/rest/schemas/usage.ts';
import { dayMs } from '../../contracts/units.ts';
import type { Queryable, Sql } from '../database/connection.ts';
import { readSnapshot } from '../database/transactions.ts';
import { getUsagePeriod, type UsagePeriod } from './quotas.ts';
import { getStorageUsage, totalBytesOf } from './storage-usage.ts';

const bytesOfGiB = 1024 ** 3;
const meterVersion = '1';

/** Reports the usage and the limits of a workspace in the bill period of `now` (Unix ms), read in one snapshot (REST 4.5). */
export async function getUsageReport(
  sql: Sql,
  plans: PlanCatalogue,
  { workspaceId, now }: { workspaceId: string; now: number },
): Promise<UsageReport> {
  const period = billPeriodOf(now);
  const [planKey, used, storage, days] = await readSnapshot(sql, (tx) =>
    Promise.all([
      getPlanKey(tx, workspaceId),
      getUsagePeriod(tx, workspaceId, now),
      getStorageUsage(tx, workspaceId),
      listManagedPdfPeaks(tx, workspaceId, { from: period.start, to: now }),
    ]),
  );
  const { policy, name, currency, interval, monthlyPriceCents } = planOf(plans, planKey);
  return {
    period: {
      kind: 'current_bill_period',
      ...period,
      usageDayStart: usageDayOf(period.start),
      usageDayEndExclusive: usageDayOf(period.end),
    },
    plan: { key: planKey, name, currency, interval, monthlyPriceCents },
    policy,
    usageMeters: toUsageMeters(used),
    liveStorage: {
      deployVersionStorageBytes: storage.deployVersionBytes,
      managedPdfStorageBytes: storage.managedPdfBytes,
      renderOutputStorageBytes: storage.renderOutputBytes,
      totalBytes: totalBytesOf(storage),
    },
    uploadLimits: { maxSingleFileBytes },
    storageMeters: [toManagedPdfMeter(storage.managedPdfBytes, days)],
    bill: {
      provider: 'none',
      interval,
      periodStart: period.start,
      periodEnd: period.end,
    },
    generatedAt: now,
  };
}

const toUsageMeters = (used: UsagePeriod): UsageReport['usageMeters'] => [
  {
    code: 'deploy_commits',
    aggregation: 'count',
    totalQuantity: used.deployCommits,
    unit: 'commits',
    version: meterVersion,
  },
  {
    code: 'render_jobs',
    aggregation: 'count',
    totalQuantity: used.renderJobs,
    unit: 'jobs',
    version: meterVersion,
  },
  {
    code: 'render_time_ms',
    aggregation: 'sum',
    totalQuantity: used.renderTimeMs,
    unit: 'ms',
    version: meterVersion,
  },
];

function toManagedPdfMeter(
  currentBytes: number,
  days: readonly DayPeak[],
): UsageReport['storageMeters'][number] {
  const totalPeakBytes = days.reduce((sum, { peakBytes }) => sum + peakBytes, 0);
  return {
    code: 'managed_pdf_storage',
    aggregation: 'daily_peak',
    unit: 'bytes',
    currentBytes,
    peakBytesByDay: days.map(({ day, peakBytes }) => ({
      day,
      peakBytes,
      peakGiBDay: peakBytes / bytesOfGiB,
    })),
    totalPeakBytes,
    totalPeakGiBDays: totalPeakBytes / bytesOfGiB,
    version: meterVersion,
  };
}

interface DayPeak {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly peakBytes: number;
}

/** Lists the peak of each day from `from` to `to` (Unix ms). A day without changes has the closing size of the day before. */
async function listManagedPdfPeaks(
  sql: Queryable,
  workspaceId: string,
  { from, to }: { from: number; to: number },
): Promise<readonly DayPeak[]> {
  const rows = await sql<(DayPeak & { closingBytes: number })[]>`
    (select day::text, peak_bytes, closing_bytes from managed_pdf_days
      where workspace_id = ${workspaceId} and day < ${usageDayOf(from)} order by day desc limit 1)
    union all
    (select day::text, peak_bytes, closing_bytes from managed_pdf_days
      where workspace_id = ${workspaceId} and day between ${usageDayOf(from)} and ${usageDayOf(to)})`;
  const byDay = new Map(rows.map((row) => [row.day, row]));
  let closingBytes = rows.find(({ day }) => day < usageDayOf(from))?.closingBytes ?? 0;
  const days: DayPeak[] = [];
  for (let at = from; at <= to; at += dayMs) {
    const day = usageDayOf(at);
    const changed = byDay.get(day);
    days.push({ day, peakBytes: changed?.peakBytes ?? closingBytes });
    closingBytes = changed?.closingBytes ?? closingBytes;
  }
  return days;
}

async function getPlanKey(sql: Queryable, workspaceId: string): Promise<string> {
  const [row] = await sql<{ plan: string }[]>`
    select plan from workspaces where id = ${workspaceId}`;
  if (!row) throw new Error(`Workspace ${workspaceId} does not exist.`);
  return row.plan;
}
