import express, { type Express, type RequestHandler } from 'express';
import { ServiceError } from '../contracts/errors.ts';
import { dashboardPath } from '../contracts/processes/web-addresses.ts';
import { createOpenApiDocument } from '../contracts/rest/openapi.ts';
import { checkReadiness, liveness } from '../runtime/health.ts';
import { isReachable } from '../store/database/connection.ts';
import { mountAdmin } from './admin/mount.ts';
import type { ApiContext } from './context.ts';
import { mountDashboard } from './dashboard.ts';
import { handleErrors, notFound } from './error-handler.ts';
import { servePublicPdf } from './public-pdfs.ts';
import { createReference } from './reference.ts';
import { logRequests } from './request-log.ts';
import { mountRoutes } from './routes/mount-routes.ts';

/** Behind trusted proxies, refuses a request that reached them by plain HTTP: its key was readable on the way (REST 5). */
const requireHttps =
  ({ http }: ApiContext['config']): RequestHandler =>
  (request, _response, next) => {
    if (http.trustedProxies.length > 0 && !request.secure)
      throw new ServiceError('forbidden', 'Use HTTPS.');
    next();
  };

/** Sends browsers from `/` to the dashboard. Other clients get the same 404 as at every address that does not exist. */
const redirectBrowsers: RequestHandler = (request, response, next) => {
  response.vary('Accept');
  // curl accepts `*/*`: then `accepts` returns the first type of the list.
  if (request.accepts(['json', 'html']) !== 'html') return next();
  response.redirect(dashboardPath);
};

/** The HTTP application. It does not listen yet. */
export function createApp(context: ApiContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', [...context.config.http.trustedProxies]);

  app.get('/healthz', (_request, response) => {
    response.json(liveness);
  });
  app.get('/readyz', async (_request, response) => {
    const isDatabaseReachable = () => isReachable(context.store.sql);
    const { isReady, status } = await checkReadiness({ isDatabaseReachable });
    response.status(isReady ? 200 : 503).json({ status });
  });

  const v1 = express.Router();
  mountRoutes(v1, context);
  // Made at the first request: the address is known only once the server listens.
  let document: object | undefined;
  v1.get('/openapi.json', (_request, response) => {
    document ??= createOpenApiDocument(`${context.publicUrl()}/v1`);
    response.json(document);
  });

  app.use(logRequests(context.log));
  app.use(requireHttps(context.config));
  app.get('/', redirectBrowsers);
  app.use('/v1', v1);
  mountAdmin(app, context);
  mountDashboard(app, context.store.blobs);
  app.use('/docs', createReference());
  app.get('/p/:token', servePublicPdf(context));
  app.use(notFound);
  app.use(handleErrors(context.log));
  return app;
}
