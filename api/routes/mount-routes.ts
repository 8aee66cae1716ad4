import type { Router } from 'express';
import { type Routes, routes } from '../../contracts/rest/routes.ts';
import type { ApiContext } from '../context.ts';
import { type Handlers, mountHandlers } from '../endpoint.ts';
import { createDeployHandlers } from './deploys.ts';
import { createPdfHandlers } from './pdfs.ts';
import { createRenderJobHandlers } from './render-jobs.ts';
import { createUploadSessionHandlers } from './upload-sessions.ts';
import { createUsageHandlers } from './usage.ts';

/** Puts every operation of the REST contract on the router. */
export function mountRoutes(router: Router, context: ApiContext): void {
  const handlers: Handlers<Routes> = {
    ...createDeployHandlers(context),
    ...createUploadSessionHandlers(context),
    ...createRenderJobHandlers(context),
    ...createPdfHandlers(context),
    ...createUsageHandlers(context),
  };
  mountHandlers(router, context, routes, handlers);
}
