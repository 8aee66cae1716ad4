import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type ConnectOverCDPTransport,
  chromium,
  type Browser as PlaywrightBrowser,
} from 'playwright';
import { CdpError, connectCdp } from '../cdp/cdp-connection.ts';
import { type CdpTransport, sharePipe } from '../cdp/cdp-pipe.ts';
import type { BlankPage } from '../page/open-page.ts';
import type { PrintParameters } from '../pdf/print-parameters.ts';
import type { Engine } from './engine.ts';

/**
 * Playwright creates contexts and pages, and prints. Pages are followed by our own sessions on the same pipe, as in the other
 * engine, because Playwright's `CDPSession` cannot address the sessions of frames and workers.
 *
 * `chromium.launch()` would start Chromium as the worker's user, with its profile in the worker's temporary folder, and keep its
 * process to itself. Connected by a transport, Playwright drives the Chromium that launch-browser.ts starts for both engines.
 */
export const playwrightEngine: Engine = {
  async connect(pipe, { folder }) {
    const { first, second } = sharePipe(pipe);
    const root = connectCdp(second);
    // Playwright listens on the root session; ours is another one, so that each gets only its own events.
    const { sessionId } = await root.browser.send('Target.attachToBrowserTarget');
    const cdp = { ...root, browser: root.session(sessionId) };
    const browser = await chromium.connectOverCDP(forPlaywright(first), {
      artifactsDir: folder,
      isLocal: true,
      noDefaults: true,
      // The launch has a limit of its own.
      timeout: 0,
    });
    return { cdp, openBlankPage: () => openBlankPage(browser) };
  },
  findChromium: () => findChromium(chromium.executablePath()),
};

/** Playwright would set its fonts in every page; which fonts a page has is an option of its version (open-page.ts). */
const notPassedOn = new Set(['Page.setFontFamilies']);

function forPlaywright(transport: CdpTransport): ConnectOverCDPTransport {
  const theirs: ConnectOverCDPTransport = {
    send(message) {
      const { id, sessionId, method = '' } = message as Parameters<CdpTransport['send']>[0];
      if (!notPassedOn.has(method)) transport.send(message);
      else queueMicrotask(() => theirs.onmessage?.({ id, sessionId, result: {} }));
    },
    // The launcher of the browser closes the pipe.
    close: () => undefined,
  };
  transport.onMessage = (message) => theirs.onmessage?.(message);
  transport.onClose = (reason) => theirs.onclose?.(reason.message);
  return theirs;
}

/** None of Playwright's defaults that a page could see: open-page.ts prepares the pages of both engines alike. */
const contextOptions = {
  acceptDownloads: false,
  viewport: null,
  colorScheme: null,
  reducedMotion: null,
  forcedColors: null,
  contrast: null,
} as const;

async function openBlankPage(browser: PlaywrightBrowser): Promise<BlankPage> {
  const context = await browser.newContext(contextOptions);
  // Dialogs are answered by page-events.ts; without a listener Playwright would answer them, too.
  context.on('dialog', () => undefined);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  await session.detach();
  return {
    targetId: targetInfo.targetId,
    browserContextId: targetInfo.browserContextId ?? '',
    print: async (_, parameters) => [await page.pdf(pdfOptions(parameters)).catch(asCdpError)],
    closeContext: () => context.close(),
  };
}

/** Lengths as Playwright takes them. */
function pdfOptions(parameters: PrintParameters) {
  const { paperWidth, paperHeight, marginTop, marginRight, marginBottom, marginLeft } = parameters;
  const { generateTaggedPDF, generateDocumentOutline, ...same } = parameters;
  const inches = (length: number): string => `${length}in`;
  return {
    ...same,
    width: inches(paperWidth),
    height: inches(paperHeight),
    margin: {
      top: inches(marginTop),
      right: inches(marginRight),
      bottom: inches(marginBottom),
      left: inches(marginLeft),
    },
    tagged: generateTaggedPDF,
    outline: generateDocumentOutline,
  };
}

/** How Playwright words that Chromium refused a command. */
const refusal = /Protocol error \((.+?)\): (.+)/;

function asCdpError(error: Error): never {
  const [, method, why] = refusal.exec(error.message) ?? [];
  if (!method) throw error;
  throw new CdpError(`${method}: ${why}`, { cause: error });
}

/** The headless shell that Playwright has beside the full browser, which it names itself and which is 3.5 times slower. */
export function findChromium(fullBrowser: string): string | undefined {
  const folder = dirname(dirname(fullBrowser));
  const revision = basename(folder).replace(/^chromium-/, '');
  const shellFolder = join(dirname(folder), `chromium_headless_shell-${revision}`);
  const parts = existsSync(shellFolder) ? readdirSync(shellFolder) : [];
  const shells = parts.map((part) => join(shellFolder, part, 'chrome-headless-shell'));
  return [...shells, fullBrowser].find((path) => existsSync(path));
}
