import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { planSummarySchema } from '../../../contracts/admin/plans.ts';
import type { PlanPolicy } from '../../../contracts/plans.ts';
import { admin } from '../../admin.ts';
import { formatBytes, formatDuration, formatNumber } from '../../formats.ts';

/** Plans do not change while the service runs. */
const staleTime = Number.POSITIVE_INFINITY;

/** Returns a function from the key of a plan to its name. The result is the key while the catalogue loads or if it lacks the plan. */
export function usePlanName(): (plan: string) => string {
  const { data } = useQuery({ ...admin.plans.list.queryOptions(), staleTime });
  return (plan) => data?.items.find(({ id }) => id === plan)?.name ?? plan;
}

export type PlanSummary = z.infer<typeof planSummarySchema>;

/** True for `null`, and for the largest exact number of JSON: it means no limit where the contract does not allow `null` (REST 8). */
export const isUnlimited = (limit: number | null): limit is null =>
  limit === null || limit >= Number.MAX_SAFE_INTEGER;

const formatLimit = (value: number | null, format = formatNumber): string =>
  isUnlimited(value) ? 'No limit' : format(value);

interface PolicyRow<K extends keyof PlanPolicy> {
  readonly label: string;
  readonly format: (value: PlanPolicy[K]) => string;
}

/** The rows are shown in this order: the most important first. */
const policyRows: { readonly [K in keyof PlanPolicy]: PolicyRow<K> } = {
  maxRenderJobsPerBillPeriod: { label: 'Jobs a month', format: (value) => formatLimit(value) },
  maxRenderTimeMsPerBillPeriod: {
    label: 'Render time a month',
    format: (value) => formatLimit(value, formatDuration),
  },
  maxConcurrentRenderJobs: { label: 'Jobs at once', format: (value) => formatLimit(value) },
  maxRenderTimeoutMs: {
    label: 'Time limit of a job',
    format: (value) => formatLimit(value, formatDuration),
  },
  maxRenderOutputBytes: {
    label: 'Largest PDF',
    format: (value) => formatLimit(value, formatBytes),
  },
  maxDeployCommitsPerBillPeriod: {
    label: 'Version commits a month',
    format: (value) => formatLimit(value),
  },
  maxFilesPerDeployCommit: { label: 'Files in a commit', format: (value) => formatLimit(value) },
  maxBytesPerDeployCommit: {
    label: 'Size of a commit',
    format: (value) => formatLimit(value, formatBytes),
  },
  storageLimitBytes: { label: 'Storage', format: (value) => formatLimit(value, formatBytes) },
  allowExternalNetwork: { label: 'External network', format: (value) => (value ? 'Yes' : 'No') },
};

const policyRow = <K extends keyof PlanPolicy>(policy: PlanPolicy, key: K) =>
  [policyRows[key].label, policyRows[key].format(policy[key])] as const;

/** The limits of a plan as labels and texts. */
export const limitsOf = ({
  policy,
  maxMembers,
}: PlanSummary): readonly (readonly [string, string])[] => [
  ...(Object.keys(policyRows) as (keyof PlanPolicy)[]).map((key) => policyRow(policy, key)),
  ['Members', formatLimit(maxMembers)],
];
