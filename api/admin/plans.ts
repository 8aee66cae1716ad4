import { planSummarySchema } from '../../contracts/admin/plans.ts';
import { listOf } from '../../contracts/pagination.ts';
import { router, signedInProcedure } from './procedures.ts';

/** The plans of this installation. */
export const plansRouter = router({
  list: signedInProcedure.output(listOf(planSummarySchema)).query(({ ctx }) => ({
    items: Object.entries(ctx.service.config.plans).map(([id, plan]) => ({ id, ...plan })),
  })),
});
