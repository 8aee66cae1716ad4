import type { Router } from 'express';
import { routes } from '../../contracts/rest/routes.ts';
import { getUsageReport } from '../../store/usage/usage-report.ts';
import type { ApiContext } from '../context.ts';
import { mount } from '../endpoint.ts';

/** Usage and plan limits of the workspace (REST 4.5). */
export function mountUsage(router: Router, context: ApiContext): void {
  const { config, store } = context;

  mount(router, context, routes.getUsage, async ({ caller: { workspaceId }, now }) => ({
    body: await getUsageReport(store.sql, config.plans, { workspaceId, now }),
  }));
}
