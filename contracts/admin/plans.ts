import { z } from 'zod';
import { planPolicySchema } from '../plans.ts';

/** A plan that a workspace can be on. */
export const planSummarySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  currency: z.string(),
  interval: z.literal('month'),
  monthlyPriceCents: z.int().nonnegative(),
  maxMembers: z.int().nonnegative(),
  policy: planPolicySchema,
});
