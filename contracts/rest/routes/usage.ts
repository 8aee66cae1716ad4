import { type Route, route } from '../route.ts';
import { usageReportSchema } from '../schemas/usage.ts';

/** Usage and limits of the workspace (REST 4.5). */
export const usageRoutes = {
  getUsage: route({
    method: 'get',
    path: '/usage',
    tag: 'Usage',
    summary: 'Get usage and limits of the workspace in the current bill period',
    description:
      'A bill period is a calendar month in UTC. `policy` has the limits of the plan; `null` means unlimited.',
    success: {
      status: 200,
      schema: usageReportSchema,
      headers: { 'Cache-Control': 'private, no-store' },
    },
    errors: [],
  }),
} as const satisfies Record<string, Route>;
