import { KiB } from '../../contracts/units.ts';
import { type CdpConnection, type CdpSession, connectCdp } from '../cdp/cdp-connection.ts';
import type { BlankPage } from '../page/open-page.ts';
import type { PdfChunks } from '../pdf/pdf-stream.ts';
import type { PrintParameters } from '../pdf/print-parameters.ts';
import type { Engine } from './engine.ts';

/**
 * Our own few commands on the pipe. Playwright attaches its instrumentation to every page (utility worlds, lifecycle events,
 * auto-attach that pauses targets); docs/decisions.md has what it costs.
 */
export const pipeEngine: Engine = {
  async connect(pipe) {
    const cdp = connectCdp(pipe);
    return { cdp, openBlankPage: () => openBlankPage(cdp) };
  },
  findChromium: () => undefined,
};

/** One message of the pipe: large enough for most documents, small enough to be held by every slot. */
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

/** The PDF leaves Chromium while it is stored. */
async function printToStream(page: CdpSession, parameters: PrintParameters): Promise<PdfChunks> {
  const { stream } = await page.send('Page.printToPDF', {
    ...parameters,
    transferMode: 'ReturnAsStream',
  });
  return readStream(page, stream ?? '');
}

/** Asks for the next chunk before the last one is used: Chromium says that a stream has ended only in an empty answer. */
async function* readStream(page: CdpSession, handle: string): AsyncGenerator<Buffer> {
  const read = () => page.send('IO.read', { handle, size: chunkBytes });
  try {
    let next = read();
    for (;;) {
      const after = read();
      after.catch(() => undefined);
      const { data, base64Encoded, eof } = await next;
      if (data) yield Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
      if (eof) return;
      next = after;
    }
  } finally {
    page.send('IO.close', { handle }).catch(() => undefined);
  }
}
