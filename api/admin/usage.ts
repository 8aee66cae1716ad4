import { usageReportSchema } from '../../contracts/rest/schemas/usage.ts';
import { getUsageReport } from '../../store/usage/usage-report.ts';
import { memberProcedure, router } from './procedures.ts';

/** Usage of a workspace against its plan (REST 4.5). */
export const usageRouter = router({
  get: memberProcedure
    .output(usageReportSchema)
    .query(({ ctx: { service, now }, input: { workspaceId } }) =>
      getUsageReport(service.store.sql, service.config.plans, { workspaceId, now }),
    ),
});
