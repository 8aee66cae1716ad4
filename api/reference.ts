import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import { type RequestHandler, Router } from 'express';

const swaggerUi = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
const swaggerUiFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** No script or style but what is served here, no other origin. Swagger UI's icons are data. */
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

/** The interactive reference of the REST API: Swagger UI on our OpenAPI document, all of it served by this process. */
export function createReference(): Router {
  const router = Router();
  router.use(headers, compression());
  // A part of a file that comes compressed would be a part of something else.
  const acceptRanges = false;
  const own = { root: `${import.meta.dirname}/reference`, acceptRanges };
  const kept = { root: swaggerUi, acceptRanges };
  router.get('/', (request, response) => {
    // Relative addresses on the page need the slash.
    if (request.originalUrl.startsWith(`${request.baseUrl}/`)) response.sendFile('index.html', own);
    else response.redirect('docs/');
  });
  for (const file of ['reference.css', 'reference.js'])
    router.get(`/${file}`, (_request, response) => response.sendFile(file, own));
  for (const file of swaggerUiFiles)
    router.get(`/${file}`, (_request, response) => response.sendFile(file, kept));
  return router;
}
