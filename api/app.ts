import express, { type Express } from 'express';
import { createOpenApiDocument } from '../contracts/openapi.ts';
import type { ApiContext } from './context.ts';
import { handleErrors, notFound } from './error-handler.ts';
import { logRequests } from './request-log.ts';
import { mountDeploys } from './routes/deploys.ts';
import { mountRenderJobs } from './routes/render-jobs.ts';
import { mountUploadSessions } from './routes/upload-sessions.ts';

/** The HTTP application; it does not listen. */
export function createApp(context: ApiContext, publicUrl: () => string): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');

  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    const ready = await context.store.sql`select 1`.then(
      () => true,
      () => false,
    );
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'database unavailable' });
  });

  const v1 = express.Router();
  mountDeploys(v1, context);
  mountUploadSessions(v1, context);
  mountRenderJobs(v1, context);
  v1.get('/openapi.json', (_request, response) => {
    response.json(createOpenApiDocument(`${publicUrl()}/v1`));
  });

  app.use(logRequests(context.log));
  app.use('/v1', v1);
  app.use(notFound);
  app.use(handleErrors(context.log));
  return app;
}
