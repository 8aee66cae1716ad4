import type { Route } from './route.ts';
import { deployRoutes } from './routes/deploys.ts';
import { pdfRoutes } from './routes/pdfs.ts';
import { renderJobRoutes } from './routes/render-jobs.ts';
import { uploadSessionRoutes } from './routes/upload-sessions.ts';
import { usageRoutes } from './routes/usage.ts';

/** Every operation of the REST contract, by its operation id. */
export const routes = {
  ...deployRoutes,
  ...uploadSessionRoutes,
  ...renderJobRoutes,
  ...pdfRoutes,
  ...usageRoutes,
} as const satisfies Record<string, Route>;

export type Routes = typeof routes;
export type OperationId = keyof Routes;
