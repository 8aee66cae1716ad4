import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright';
import { pagePdfOptions } from '../../bench/page-pdf-options.ts';
import { printOptionsSchema } from '../../contracts/rest/schemas/print-options.ts';
import { chromiumPath } from '../renderer/renderer-fixture.ts';
import type { CorpusDocument } from './document.ts';
import { type Printer, printTimeoutMs } from './printer.ts';
import type { Site } from './site.ts';

/**
 * Starts the reference that the corpus is compared with: `page.pdf()` of Playwright with Playwright's flags, on the Chromium of the
 * renderer, with a context for each document. It waits for `renderReady`, or for `networkidle` if a document does not define that.
 */
export async function startReference(): Promise<Printer> {
  await using starting = new AsyncDisposableStack();
  const sites = new Map<string, Site>();
  const server = await serve(sites);
  starting.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const browser = starting.adopt(
    await chromium.launch({
      executablePath: chromiumPath(),
      // Documents of the corpus may reach only this machine.
      args: ['--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE *.localhost, EXCLUDE 127.0.0.1'],
    }),
    (launched) => launched.close(),
  );
  const resources = starting.move();
  return {
    print: async (document, site) => {
      sites.set(site.name, site);
      try {
        return await printInNewContext(browser, document, `http://${site.name}.localhost:${port}/`);
      } finally {
        sites.delete(site.name);
      }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function printInNewContext(browser: Browser, document: CorpusDocument, url: string) {
  const { locale, timezone, media } = printOptionsSchema.parse(document.print ?? {});
  const context = await browser.newContext({
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezoneId: timezone }),
  });
  context.setDefaultTimeout(printTimeoutMs);
  const timer = setTimeout(() => context.close(), printTimeoutMs);
  try {
    const page = await context.newPage();
    if (media === 'screen') await page.emulateMedia({ media });
    const startedAt = performance.now();
    await openUntilReady(page, document, url);
    const pdf = await page.pdf(pagePdfOptions(printOptionsSchema.parse(document.print ?? {})));
    return { pdf, elapsedMs: performance.now() - startedAt };
  } finally {
    clearTimeout(timer);
    await context.close();
  }
}

async function openUntilReady(page: Page, document: CorpusDocument, url: string): Promise<void> {
  const { ready, endless, late, expect } = document;
  if (ready === 'nothing') {
    await page.goto(url, { waitUntil: 'networkidle' });
    if (late) await waitForText(page, [expect.text ?? []].flat());
    return;
  }
  // If a request never ends, `load` may never fire.
  await page.goto(url, { waitUntil: endless ? 'domcontentloaded' : 'load' });
  await waitForRenderReady(page);
}

/** Does not use `page.evaluate`: it needs `Map` and other built-ins, which a document may have replaced. */
async function waitForRenderReady(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send('Runtime.evaluate', {
    expression:
      "typeof window.renderReady === 'function' ? window.renderReady() : window.renderReady",
    awaitPromise: true,
  });
  if (exceptionDetails) throw new Error(`renderReady: ${exceptionDetails.exception?.description}`);
}

async function waitForText(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) await page.getByText(text).first().waitFor();
}

/** Serves all sites that are being printed, by the first label of their host names. */
async function serve(sites: ReadonlyMap<string, Site>): Promise<Server> {
  const server = createServer(async (request, response) => {
    const site = sites.get(request.headers.host?.split('.')[0] ?? '');
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const file =
      pathname === '/__payload'
        ? site && { bytes: site.payload, mime: 'application/json' }
        : await site?.read(decodeURIComponent(pathname).slice(1) || 'index.html');
    response.writeHead(file ? 200 : 404, { 'content-type': file?.mime ?? 'text/plain' });
    response.end(file?.bytes);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(0, '127.0.0.1', resolve);
  await promise;
  return server;
}
