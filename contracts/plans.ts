import { z } from 'zod';
import { GiB, hourMs, MiB, minuteMs, secondMs } from './units.ts';

/** 2^53 − 1, the largest integer that is exact in JSON: means unlimited in fields that cannot be null (REST 8). */
const unlimited = Number.MAX_SAFE_INTEGER;
const count = z.int().nonnegative();

/** Limits of a plan in the form of the usage report (REST 8). `null` means unlimited, and so does 2^53 − 1. */
export const planPolicySchema = z.strictObject({
  allowExternalNetwork: z.boolean(),
  maxBytesPerDeployCommit: count,
  maxFilesPerDeployCommit: count,
  maxDeployCommitsPerBillPeriod: count.nullable(),
  maxRenderJobsPerBillPeriod: count.nullable(),
  maxRenderTimeMsPerBillPeriod: count,
  maxRenderTimeoutMs: count,
  maxRenderOutputBytes: count,
  maxConcurrentRenderJobs: count,
  storageLimitBytes: count,
});

export const planSchema = z.strictObject({
  name: z.string().min(1),
  currency: z.string().length(3),
  interval: z.literal('month'),
  monthlyPriceCents: count,
  policy: planPolicySchema,
  /** Most members of a workspace. The REST API does not show it, so it is not part of `policy`. */
  maxMembers: count.default(unlimited),
});

export const planCatalogueSchema = z.record(z.string().min(1), planSchema);

/** The free plan for trying the service. A user can own only one workspace on it. */
export const blankPlan = 'blank';

export type PlanPolicy = z.infer<typeof planPolicySchema>;
export type Plan = z.infer<typeof planSchema>;
export type PlanCatalogue = z.infer<typeof planCatalogueSchema>;

/** @throws Error when the catalogue has no such plan: the operator's `PLANS_FILE` is incomplete. */
export function planOf(plans: PlanCatalogue, plan: string): Plan {
  const found = plans[plan];
  if (!found)
    throw new Error(
      `No plan "${plan}" in the catalogue, but a workspace has it: add it to PLANS_FILE.`,
    );
  return found;
}

/** Finds the limits of a plan by its key. */
export const policyOf = (plans: PlanCatalogue, plan: string): PlanPolicy =>
  planOf(plans, plan).policy;

export const defaultPlans: PlanCatalogue = {
  blank: {
    name: 'Blank',
    currency: 'EUR',
    interval: 'month',
    monthlyPriceCents: 0,
    policy: {
      allowExternalNetwork: false,
      maxBytesPerDeployCommit: 50 * MiB,
      maxFilesPerDeployCommit: 1_000,
      maxDeployCommitsPerBillPeriod: 100,
      maxRenderJobsPerBillPeriod: 500,
      maxRenderTimeMsPerBillPeriod: 30 * minuteMs,
      maxRenderTimeoutMs: 30 * secondMs,
      maxRenderOutputBytes: 25 * MiB,
      maxConcurrentRenderJobs: 2,
      storageLimitBytes: GiB,
    },
    maxMembers: 3,
  },
  pro: {
    name: 'Pro',
    currency: 'EUR',
    interval: 'month',
    monthlyPriceCents: 4_900,
    policy: {
      allowExternalNetwork: true,
      maxBytesPerDeployCommit: 500 * MiB,
      maxFilesPerDeployCommit: 15_000,
      maxDeployCommitsPerBillPeriod: 5_000,
      maxRenderJobsPerBillPeriod: 100_000,
      maxRenderTimeMsPerBillPeriod: 100 * hourMs,
      maxRenderTimeoutMs: 2 * minuteMs,
      maxRenderOutputBytes: 100 * MiB,
      maxConcurrentRenderJobs: 10,
      storageLimitBytes: 100 * GiB,
    },
    maxMembers: 50,
  },
  self_hosted: {
    name: 'Self-hosted',
    currency: 'EUR',
    interval: 'month',
    monthlyPriceCents: 0,
    policy: {
      allowExternalNetwork: true,
      maxBytesPerDeployCommit: unlimited,
      maxFilesPerDeployCommit: unlimited,
      maxDeployCommitsPerBillPeriod: null,
      maxRenderJobsPerBillPeriod: null,
      maxRenderTimeMsPerBillPeriod: unlimited,
      maxRenderTimeoutMs: 5 * minuteMs,
      maxRenderOutputBytes: unlimited,
      maxConcurrentRenderJobs: unlimited,
      storageLimitBytes: unlimited,
    },
    maxMembers: unlimited,
  },
};
