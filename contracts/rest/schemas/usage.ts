import { z } from 'zod';
import { billPeriodOf, usageDayOf } from '../../bill-period.ts';
import { bytes, exampleTime, timestamp } from '../../fields.ts';
import { maxSingleFileBytes } from '../../limits.ts';
import { defaultPlans, type Plan, planPolicySchema } from '../../plans.ts';
import { GiB } from '../../units.ts';

/** The usage report (REST 2.13). */

const day = z.iso.date().meta({ description: 'A day in UTC.' });
const version = z
  .literal('1')
  .meta({ description: 'Version of the meter. It changes when the meter counts something else.' });
const GiBDays = z.number().nonnegative().meta({ description: 'Peak bytes / 2^30.' });

const meter = <const C extends string, const A extends string, const U extends string>(
  code: C,
  aggregation: A,
  unit: U,
) =>
  z.strictObject({
    code: z.literal(code),
    aggregation: z.literal(aggregation),
    totalQuantity: z.int().nonnegative(),
    unit: z.literal(unit),
    version,
  });

const usageMeterSchema = z
  .discriminatedUnion('code', [
    meter('deploy_commits', 'count', 'commits'),
    meter('render_jobs', 'count', 'jobs'),
    meter('render_time_ms', 'sum', 'ms'),
  ])
  .meta({ id: 'UsageMeter' });

const storageMeterSchema = z
  .strictObject({
    code: z.literal('managed_pdf_storage'),
    aggregation: z.literal('daily_peak'),
    unit: z.literal('bytes'),
    currentBytes: bytes,
    peakBytesByDay: z.array(z.strictObject({ day, peakBytes: bytes, peakGiBDay: GiBDays })).meta({
      description: 'All days of the period up to today, including days without a change.',
    }),
    totalPeakBytes: bytes.meta({ description: 'Sum of the daily peaks.' }),
    totalPeakGiBDays: GiBDays,
    version,
  })
  .meta({ id: 'StorageMeter' });

export const usageReportSchema = z
  .strictObject({
    period: z.strictObject({
      kind: z.literal('current_bill_period'),
      start: timestamp,
      end: timestamp,
      usageDayStart: day,
      usageDayEndExclusive: day,
    }),
    plan: z.strictObject({
      key: z.string(),
      name: z.string(),
      currency: z.string(),
      interval: z.literal('month'),
      monthlyPriceCents: z.int().nonnegative(),
    }),
    policy: planPolicySchema.meta({ id: 'PlanPolicy', description: '`null` means unlimited.' }),
    usageMeters: z.array(usageMeterSchema),
    liveStorage: z.strictObject({
      deployVersionStorageBytes: bytes,
      managedPdfStorageBytes: bytes,
      renderOutputStorageBytes: bytes,
      totalBytes: bytes,
    }),
    uploadLimits: z.strictObject({ maxSingleFileBytes: bytes }),
    storageMeters: z.array(storageMeterSchema),
    bill: z.strictObject({
      provider: z.literal('none'),
      interval: z.literal('month'),
      periodStart: timestamp,
      periodEnd: timestamp,
    }),
    generatedAt: timestamp,
  })
  .meta({
    id: 'UsageReport',
    description: 'Usage and limits of a workspace.',
    examples: [exampleReport()],
  });

function exampleReport() {
  const { start, end } = billPeriodOf(exampleTime);
  const { policy, name, currency, interval, monthlyPriceCents } = defaultPlans.pro as Plan;
  const [managedPdfStorageBytes, deployVersionStorageBytes] = [48_213, 1_204_880];
  const meterOf = (code: string, aggregation: string, totalQuantity: number, unit: string) => ({
    code,
    aggregation,
    totalQuantity,
    unit,
    version: '1',
  });
  const peak = { peakBytes: managedPdfStorageBytes, peakGiBDay: managedPdfStorageBytes / GiB };
  return {
    period: {
      kind: 'current_bill_period',
      start,
      end,
      usageDayStart: usageDayOf(start),
      usageDayEndExclusive: usageDayOf(end),
    },
    plan: { key: 'pro', name, currency, interval, monthlyPriceCents },
    policy,
    usageMeters: [
      meterOf('deploy_commits', 'count', 12, 'commits'),
      meterOf('render_jobs', 'count', 1_842, 'jobs'),
      meterOf('render_time_ms', 'sum', 734_100, 'ms'),
    ],
    liveStorage: {
      deployVersionStorageBytes,
      managedPdfStorageBytes,
      renderOutputStorageBytes: 0,
      totalBytes: managedPdfStorageBytes + deployVersionStorageBytes,
    },
    uploadLimits: { maxSingleFileBytes },
    storageMeters: [
      {
        code: 'managed_pdf_storage',
        aggregation: 'daily_peak',
        unit: 'bytes',
        currentBytes: managedPdfStorageBytes,
        peakBytesByDay: [{ day: usageDayOf(exampleTime), ...peak }],
        totalPeakBytes: peak.peakBytes,
        totalPeakGiBDays: peak.peakGiBDay,
        version: '1',
      },
    ],
    bill: { provider: 'none', interval: 'month', periodStart: start, periodEnd: end },
    generatedAt: exampleTime,
  };
}

export type UsageReport = z.infer<typeof usageReportSchema>;
