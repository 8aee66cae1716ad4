import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import { type RequestHandler, Router } from 'express';

const swaggerUi = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
const swaggerUiFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** Allows only scripts and styles from this origin. Icons of Swagger UI are data URLs. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': contentSecurityPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  });
  next();
};

/** Serves the interactive reference of the REST API: Swagger UI with our OpenAPI document. All files come from this process. */
export function createReference(): Router {
  const router = Router();
  router.use(headers, compression());
  // A range of a compressed file would be wrong.
  const acceptRanges = false;
  const ownFiles = { root: `${import.meta.dirname}/reference`, acceptRanges };
  const packageFiles = { root: swaggerUi, acceptRanges };
  router.get('/', (request, response) => {
    // The page has relative addresses, which need the trailing slash.
    if (request.originalUrl.startsWith(`${request.baseUrl}/`))
      response.sendFile('index.html', ownFiles);
    else response.redirect('docs/');
  });
  for (const file of ['reference.css', 'reference.js'])
    router.get(`/${file}`, (_request, response) => response.sendFile(file, ownFiles));
  for (const file of swaggerUiFiles)
    router.get(`/${file}`, (_request, response) => response.sendFile(file, packageFiles));
  return router;
}
