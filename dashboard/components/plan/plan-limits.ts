import type { z } from 'zod';
import type { planSummarySchema } from '../../../contracts/admin/plans.ts';
import { formatBytes, formatDuration, formatNumber } from '../../formats.ts';

export type PlanSummary = z.infer<typeof planSummarySchema>;

/** The largest number that JSON carries exactly stands for no limit where the contract has no `null` (REST 8). */
export const isUnlimited = (limit: number | null): limit is null =>
  limit === null || limit >= Number.MAX_SAFE_INTEGER;

const limit = (value: number | null, format = formatNumber): string =>
  isUnlimited(value) ? 'No limit' : format(value);

/** What a plan allows, in the order in which people ask. */
export const limitsOf = ({
  policy,
  maxMembers,
}: PlanSummary): readonly (readonly [string, string])[] => [
  ['Jobs a month', limit(policy.maxRenderJobsPerBillPeriod)],
  ['Render time a month', limit(policy.maxRenderTimeMsPerBillPeriod, formatDuration)],
  ['Jobs at once', limit(policy.maxConcurrentRenderJobs)],
  ['Time limit of a job', limit(policy.maxRenderTimeoutMs, formatDuration)],
  ['Largest PDF', limit(policy.maxRenderOutputBytes, formatBytes)],
  ['Deploy commits a month', limit(policy.maxDeployCommitsPerBillPeriod)],
  ['Files in a commit', limit(policy.maxFilesPerDeployCommit)],
  ['Size of a commit', limit(policy.maxBytesPerDeployCommit, formatBytes)],
  ['Storage', limit(policy.storageLimitBytes, formatBytes)],
  ['External network', policy.allowExternalNetwork ? 'Yes' : 'No'],
  ['Members', limit(maxMembers)],
];
