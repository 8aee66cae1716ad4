import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import { dashboardPath, noncePlaceholder } from '../contracts/processes/web-addresses.ts';
import { dayMs } from '../contracts/units.ts';
import { notFound } from './error-handler.ts';
import { contentSecurityPolicy } from './security-headers.ts';

/** Output of `npm run dashboard`. */
const builtFolder = join(import.meta.dirname, '../dashboard/dist');

const notBuilt =
  'The dashboard is not built: run `npm run dashboard`, then load this page again. The REST API works without it.\n';

/** Cached for a year, because the names of these files change with their content. */
const hashedFiles = { immutable: true, maxAge: 365 * dayMs, acceptRanges: false };

/** The names of these files do not change with their content. Browsers ask for them each time, and get them only if they have changed. */
const otherFiles = { index: false, redirect: false, maxAge: 0, acceptRanges: false };

/**
 * Mounts the files of the dashboard. All other addresses below `dashboardPath`, except those below `/assets`, get its page: the
 * router in the page handles them.
 */
export function mountDashboard(
  app: Express,
  { linkOrigin }: { linkOrigin?: string | undefined },
  folder = builtFolder,
): void {
  // Only files are compressed. Answers of the API could have a secret beside text that an attacker chose (BREACH).
  app.use(dashboardPath, compression());
  app.use(`${dashboardPath}/assets`, express.static(join(folder, 'assets'), hashedFiles), notFound);
  app.use(dashboardPath, express.static(folder, otherFiles));
  app.get(
    [dashboardPath, `${dashboardPath}/*path`],
    sendPage(join(folder, 'index.html'), linkOrigin),
  );
}

/** Reads the page for each request: the dashboard may have been built again. */
const sendPage =
  (file: string, linkOrigin: string | undefined): RequestHandler =>
  async (_request, response) => {
    response.set('Cache-Control', 'no-store');
    const page = await readFile(file, 'utf8').catch(undefinedIfMissing);
    if (page === undefined) {
      response.status(503).type('text').send(notBuilt);
      return;
    }
    const styleNonce = randomBytes(16).toString('base64');
    response.set('Content-Security-Policy', contentSecurityPolicy({ linkOrigin, styleNonce }));
    response.type('html').send(page.replaceAll(noncePlaceholder, styleNonce));
  };

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
