import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { planSummarySchema } from '../../../contracts/admin/plans.ts';
import { admin } from '../../admin.ts';
import { formatBytes, formatDuration, formatNumber } from '../../formats.ts';

/** Plans do not change while the service runs. */
const staleTime = Number.POSITIVE_INFINITY;

/** Names a plan by its key; a key that the catalogue lacks, or does not have yet, by itself. */
export function usePlanName(): (plan: string) => string {
  const { data } = useQuery({ ...admin.plans.list.queryOptions(), staleTime });
  return (plan) => data?.items.find(({ id }) => id === plan)?.name ?? plan;
}

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
