import { z } from 'zod';
import { billSettingsSchema } from '../../contracts/admin/billing.ts';
import { emailAddress } from '../../contracts/admin/people.ts';
import { planOf } from '../../contracts/plans.ts';
import { getBillingEmail, setBillingEmail } from '../../store/workspaces/workspaces.ts';
import { audited } from './audited.ts';
import { ownerProcedure, router } from './procedures.ts';

/** The e-mail address that gets the bill, and the price of the plan. */
export const billingRouter = router({
  get: ownerProcedure.output(billSettingsSchema).query(async ({ ctx }) => {
    const { service, workspace } = ctx;
    const billingEmail = await getBillingEmail(service.store.sql, workspace.id);
    const { currency, interval, monthlyPriceCents } = planOf(service.config.plans, workspace.plan);
    return {
      provider: 'none' as const,
      plan: workspace.plan,
      currency,
      interval,
      monthlyPriceCents,
      ...(billingEmail !== undefined && { billingEmail }),
    };
  }),

  setEmail: ownerProcedure
    .input(z.object({ billingEmail: emailAddress }))
    .mutation(({ ctx, input: { workspaceId, billingEmail } }) =>
      audited(ctx, (tx) => setBillingEmail(tx, workspaceId, billingEmail), {
        target: workspaceId,
        details: { billingEmail },
      }),
    ),
});
