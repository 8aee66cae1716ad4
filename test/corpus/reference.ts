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
 * The corpus is compared with `page.pdf()` of Playwright with its own flags and a context of its own for each document, on
 * the Chromium that the renderer runs. It waits for `renderReady`, or for `networkidle` where the document says nothing.
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
      // No document of the corpus may reach anything but this machine.
      args: ['--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE *.localhost, EXCLUDE 127.0.0.1'],
    }),
    (launched) => launched.close(),
  );
  const all = starting.move();
  return {
    print: async (document, site) => {
      sites.set(site.name, site);
      try {
        return await printIn(browser, document, `http://${site.name}.localhost:${port}/`);
      } finally {
        sites.delete(site.name);
      }
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function printIn(browser: Browser, document: CorpusDocument, url: string) {
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
    const begin = performance.now();
    await open(page, document, url);
    const pdf = await page.pdf(pagePdfOptions(printOptionsSchema.parse(document.print ?? {})));
    return { pdf, elapsedMs: performance.now() - begin };
  } finally {
    clearTimeout(timer);
    await context.close();
  }
}

async function open(page: Page, document: CorpusDocument, url: string): Promise<void> {
  const { ready, endless, late, expect } = document;
  if (ready === 'nothing') {
    await page.goto(url, { waitUntil: 'networkidle' });
    if (late) await showsText(page, [expect.text ?? []].flat());
    return;
  }
  // `load` never comes where a request never ends.
  await page.goto(url, { waitUntil: endless ? 'domcontentloaded' : 'load' });
  await waitForRenderReady(page);
}

/** Not by `page.evaluate`, which needs `Map` and others as they were: documents may have replaced them. */
async function waitForRenderReady(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send('Runtime.evaluate', {
    expression:
      "typeof window.renderReady === 'function' ? window.renderReady() : window.renderReady",
    awaitPromise: true,
  });
  if (exceptionDetails) throw new Error(`renderReady: ${exceptionDetails.exception?.description}`);
}

async function showsText(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) await page.getByText(text).first().waitFor();
}

/** Serves every site that is being printed, by the first label of its host name. */
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
