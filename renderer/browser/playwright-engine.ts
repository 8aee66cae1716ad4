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
 * Playwright creates contexts and pages, and prints. Our own sessions on the same pipe observe the pages, as in the engine `pipe`,
 * because Playwright's `CDPSession` cannot address the sessions of frames and workers.
 *
 * `chromium.launch()` would start Chromium as the worker's user, with its profile in the worker's temporary folder, and hide its
 * process. So Playwright connects over a transport to the Chromium that launch-browser.ts starts for both engines.
 */
export const playwrightEngine: Engine = {
  async connect(pipe, { folder }) {
    const { first, second } = sharePipe(pipe);
    const root = connectCdp(second);
    // Playwright listens on the root session. We use another one, so that each side gets only its own events.
    const { sessionId } = await root.browser.send('Target.attachToBrowserTarget');
    const cdp = { ...root, browser: root.session(sessionId) };
    const browser = await chromium.connectOverCDP(toPlaywrightTransport(first), {
      artifactsDir: folder,
      isLocal: true,
      noDefaults: true,
      // launch-browser.ts has its own limit for the launch.
      timeout: 0,
    });
    return { cdp, openBlankPage: () => openBlankPage(browser) };
  },
  findChromium: () => findChromium(chromium.executablePath()),
};

/** Playwright would set its fonts in every page. The fonts of a page are an option of its version, so open-page.ts sets them. */
const droppedMethods = new Set(['Page.setFontFamilies']);

/** Adapts a transport to the interface of Playwright. */
function toPlaywrightTransport(transport: CdpTransport): ConnectOverCDPTransport {
  const adapter: ConnectOverCDPTransport = {
    send(message) {
      const { id, sessionId, method = '' } = message as Parameters<CdpTransport['send']>[0];
      if (!droppedMethods.has(method)) transport.send(message);
      // Playwright waits for an answer.
      else queueMicrotask(() => adapter.onmessage?.({ id, sessionId, result: {} }));
    },
    // The launcher of the browser closes the pipe.
    close: () => undefined,
  };
  transport.onMessage = (message) => adapter.onmessage?.(message);
  transport.onClose = (reason) => adapter.onclose?.(reason.message);
  return adapter;
}

/** Turns off Playwright's defaults that a page could see: open-page.ts prepares the pages of both engines in the same way. */
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
  // page-events.ts answers dialogs. Without a listener Playwright would answer them, too.
  context.on('dialog', () => undefined);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  await session.detach();
  return {
    targetId: targetInfo.targetId,
    browserContextId: targetInfo.browserContextId ?? '',
    print: async (_, parameters) => [
      await page.pdf(pdfOptions(parameters)).catch(rethrowAsCdpError),
    ],
    closeContext: () => context.close(),
  };
}

/** Converts print parameters of the DevTools protocol to the options of `page.pdf()`. */
function pdfOptions(parameters: PrintParameters) {
  const { paperWidth, paperHeight, marginTop, marginRight, marginBottom, marginLeft } = parameters;
  const { generateTaggedPDF, generateDocumentOutline, ...others } = parameters;
  const inches = (length: number): string => `${length}in`;
  return {
    ...others,
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

/** Message of Playwright when Chromium has refused a command. */
const protocolError = /Protocol error \((.+?)\): (.+)/;

function rethrowAsCdpError(error: Error): never {
  const [, method, reason] = protocolError.exec(error.message) ?? [];
  if (!method) throw error;
  throw new CdpError(`${method}: ${reason}`, { cause: error });
}

/**
 * Finds the headless shell that Playwright installs beside the full browser, else the full browser, which is 3.5 times slower. Returns
 * undefined if neither is installed.
 *
 * @param fullBrowser path of the full browser, which is the one that Playwright reports
 */
export function findChromium(fullBrowser: string): string | undefined {
  const folder = dirname(dirname(fullBrowser));
  const revision = basename(folder).replace(/^chromium-/, '');
  const shellFolder = join(dirname(folder), `chromium_headless_shell-${revision}`);
  const parts = existsSync(shellFolder) ? readdirSync(shellFolder) : [];
  const shells = parts.map((part) => join(shellFolder, part, 'chrome-headless-shell'));
  return [...shells, fullBrowser].find((path) => existsSync(path));
}
