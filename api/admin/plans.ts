import { z } from 'zod';
import { planSummarySchema } from '../../contracts/admin/plans.ts';
import { router, signedInProcedure } from './procedures.ts';

/** The plans that a workspace can be on. */
export const plansRouter = router({
  list: signedInProcedure
    .output(z.strictObject({ items: z.array(planSummarySchema) }))
    .query(({ ctx }) => ({
      items: Object.entries(ctx.service.config.plans).map(([id, plan]) => ({ id, ...plan })),
    })),
});
