import type { usageRoutes } from '../../contracts/rest/routes/usage.ts';
import { getUsageReport } from '../../store/usage/usage-report.ts';
import type { ApiContext } from '../context.ts';
import type { Handlers } from '../endpoint.ts';

/** Usage and plan limits of the workspace (REST 4.5). */
export const createUsageHandlers = ({
  config,
  store,
}: ApiContext): Handlers<typeof usageRoutes> => ({
  getUsage: ({ caller: { workspaceId }, now }) =>
    getUsageReport(store.sql, config.plans, { workspaceId, now }),
});
