import { z } from 'zod';

/** The e-mail address that gets the bill, and the price of the plan. */
export const billSettingsSchema = z.strictObject({
  provider: z.literal('none'),
  plan: z.string(),
  currency: z.string(),
  interval: z.literal('month'),
  monthlyPriceCents: z.int().nonnegative(),
  billingEmail: z.string().optional(),
});
