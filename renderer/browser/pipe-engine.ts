import { KiB } from '../../contracts/units.ts';
import { type CdpConnection, type CdpSession, connectCdp } from '../cdp/cdp-connection.ts';
import type { BlankPage } from '../page/open-page.ts';
import type { PdfChunks } from '../pdf/pdf-stream.ts';
import type { PrintParameters } from '../pdf/print-parameters.ts';
import type { Engine } from './engine.ts';

/**
 * The engine without Playwright: it sends Chromium only a few commands. The other engine uses the same pipe, but lets Playwright
 * create and print the pages. Playwright would attach its instrumentation to every page (utility
 * worlds, lifecycle events, auto-attach that pauses targets). docs/decisions.md says what that costs.
 */
export const pipeEngine: Engine = {
  async connect(pipe) {
    const cdp = connectCdp(pipe);
    return { cdp, openBlankPage: () => openBlankPage(cdp) };
  },
  findChromium: () => undefined,
};

/** The most bytes of a PDF that one answer carries: large enough for most documents, small enough that each slot can hold two in memory (see `readStream`). */
const chunkBytes = 512 * KiB;

async function openBlankPage({ browser }: CdpConnection): Promise<BlankPage> {
  const { browserContextId } = await browser.send('Target.createBrowserContext', {
    disposeOnDetach: true,
  });
  const { targetId } = await browser.send('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
  });
  return {
    targetId,
    browserContextId,
    print: printToStream,
    closeContext: () => browser.send('Target.disposeBrowserContext', { browserContextId }),
  };
}

/** Prints to a stream, so that the PDF leaves Chromium while it is stored. */
async function printToStream(page: CdpSession, parameters: PrintParameters): Promise<PdfChunks> {
  const { stream } = await page.send('Page.printToPDF', {
    ...parameters,
    transferMode: 'ReturnAsStream',
  });
  return readStream(page, stream ?? '');
}

/**
 * Requests each chunk before the previous one has arrived. Chromium reports the end of a stream only in an empty answer, so each
 * PDF would otherwise wait for one more round trip.
 */
async function* readStream(page: CdpSession, handle: string): AsyncGenerator<Buffer> {
  const read = () => page.send('IO.read', { handle, size: chunkBytes });
  try {
    let next = read();
    for (;;) {
      const following = read();
      following.catch(() => undefined);
      const { data, base64Encoded, eof } = await next;
      if (data) yield Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
      if (eof) return;
      next = following;
    }
  } finally {
    page.send('IO.close', { handle }).catch(() => undefined);
  }
}
