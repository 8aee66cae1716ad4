import { z } from 'zod';

/** The address for the bill, and the price. */
export const billSettingsSchema = z.strictObject({
  provider: z.literal('none'),
  plan: z.string(),
  currency: z.string(),
  interval: z.literal('month'),
  monthlyPriceCents: z.int().nonnegative(),
  billingEmail: z.string().optional(),
});
