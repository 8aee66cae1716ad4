import type { PrintSettings } from '../../contracts/processes/print-settings.ts';
import { BrowserGone } from '../cdp/browser-gone.ts';
import type { CdpConnection, CdpSession } from '../cdp/cdp-connection.ts';
import type { PdfChunks } from '../pdf/pdf-stream.ts';
import type { PrintParameters } from '../pdf/print-parameters.ts';

/** A blank page in a fresh context: cookies, cache and storage of no other job. */
export interface Page {
  readonly cdp: CdpSession;
  /** Aborted when its process has ended. */
  readonly crashed: AbortSignal;
  /** Calls the listener with each frame and worker that runs apart from the page, before its first script runs. */
  onChild(listener: (child: ChildTarget) => void): void;
  /** Prints it, and hands over the PDF. Rejects with CdpError when Chromium cannot print it. */
  print(parameters: PrintParameters): Promise<PdfChunks>;
  /** Disposes the context with everything that the page opened. */
  close(): Promise<void>;
}

/** A page as an engine has opened it, in a context of its own. */
export interface BlankPage {
  readonly targetId: string;
  readonly browserContextId: string;
  /** @param page session that the engine may print by */
  print(page: CdpSession, parameters: PrintParameters): Promise<PdfChunks>;
  closeContext(): Promise<unknown>;
}

/** A frame of another site, or a worker: it has a session of its own. */
export interface ChildTarget {
  readonly type: 'iframe' | 'worker' | 'shared_worker' | 'service_worker';
  readonly url: string;
  readonly session: CdpSession;
  /** Session of the page, frame or worker that made it. */
  readonly parent: CdpSession;
  /** Aborted when it has ended. */
  readonly gone: AbortSignal;
}

/** Parameters of `Target.attachedToTarget`. */
interface AttachedEvent {
  readonly sessionId: string;
  readonly targetInfo: { readonly type: string; readonly url: string; browserContextId?: string };
}

/** Response bodies are not kept for a debugger that nobody opens. */
const keepNoBodies = { maxTotalBufferSize: 0, maxResourceBufferSize: 0, maxPostDataSize: 0 };

/**
 * Each frame and worker of a page is stopped before its first script runs, so that none of its requests is missed. It costs
 * nothing to a page that has neither.
 */
const attachToChildren = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** Shared workers belong to no page, so only the browser attaches to them. */
export const attachToSharedWorkers = {
  ...attachToChildren,
  filter: [{ type: 'shared_worker' }, { exclude: true }],
};

/**
 * Size of the window that a page sees before it is laid out for paper. The window itself is 16 × 16, because nobody sees its
 * frames: an invoice then costs 193 instead of 219 ms of Chromium's CPU [measured, interleaved].
 */
const viewport = {
  width: 1280,
  height: 720,
  screenWidth: 1280,
  screenHeight: 720,
  deviceScaleFactor: 1,
  mobile: false,
  dontSetVisibleSize: true,
};

/** Playwright's choice for Linux. Chromium's own differs in `monospace`, which is then Courier New. */
const playwrightFonts = {
  fontFamilies: {
    standard: 'Times New Roman',
    fixed: 'Monospace',
    serif: 'Times New Roman',
    sansSerif: 'Arial',
    cursive: 'Comic Sans MS',
    fantasy: 'Impact',
  },
};

type GenericFonts = Pick<PrintSettings, 'genericFonts'>;

/** Made ready before its job comes: 40 ms that no job waits for. All of it is awaited: a page that loads meanwhile keeps its events to itself. */
export async function openPage(
  cdp: CdpConnection,
  settings: GenericFonts,
  blank: BlankPage,
): Promise<Page> {
  const { targetId, browserContextId } = blank;
  const { sessionId } = await cdp.browser.send('Target.attachToTarget', {
    targetId,
    flatten: true,
  });
  const page = cdp.session(sessionId);
  const crash = new AbortController();
  page.on('Inspector.targetCrashed', () => crash.abort(new BrowserGone('The page crashed.')));
  const children = followChildren(cdp, page, browserContextId);
  await Promise.all([
    ...preparePage(page, settings),
    page.send('Target.setAutoAttach', attachToChildren),
    cdp.browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
  ]);
  return {
    cdp: page,
    crashed: crash.signal,
    onChild: children.onChild,
    print: (parameters) => blank.print(page, parameters),
    close: async () => {
      children.end();
      cdp.forget(sessionId);
      await blank.closeContext();
    },
  };
}

const preparePage = (page: CdpSession, { genericFonts }: GenericFonts): Promise<unknown>[] => [
  page.send('Page.enable'),
  page.send('Runtime.enable'),
  page.send('Network.enable', keepNoBodies),
  page.send('Inspector.enable'),
  page.send('Log.enable'),
  page.send('Performance.enable'),
  ...(genericFonts === 'playwright' ? [page.send('Page.setFontFamilies', playwrightFonts)] : []),
  page.send('Emulation.setDeviceMetricsOverride', viewport),
];

/** Attaches to frames and workers, also those inside them, and lets them run once they are followed. */
function followChildren(cdp: CdpConnection, page: CdpSession, browserContextId: string) {
  const listeners = new Set<(child: ChildTarget) => void>();
  const sessions = new Map<string, AbortController>();

  const attach = (
    parent: CdpSession,
    { sessionId, targetInfo: { type, url } }: AttachedEvent,
  ): void => {
    const session = cdp.session(sessionId);
    const gone = new AbortController();
    sessions.set(sessionId, gone);
    for (const listener of listeners)
      listener({ type: type as ChildTarget['type'], url, session, parent, gone: gone.signal });
    followThese(session);
    const prepared = [
      session.send('Network.enable', keepNoBodies),
      session.send('Runtime.enable'),
      session.send('Target.setAutoAttach', attachToChildren),
      ...(type === 'iframe'
        ? [session.send('Log.enable'), session.send('Performance.enable')]
        : []),
      session.send('Runtime.runIfWaitingForDebugger'),
    ];
    // A child that ends at once answers nothing.
    for (const one of prepared) one.catch(() => undefined);
  };
  const detach = ({ sessionId }: { sessionId: string }): void => {
    sessions.get(sessionId)?.abort();
    sessions.delete(sessionId);
    cdp.forget(sessionId);
  };
  const followThese = (parent: CdpSession): void => {
    parent.on('Target.attachedToTarget', (event) => attach(parent, event));
    parent.on('Target.detachedFromTarget', detach);
  };
  const attachShared = (event: AttachedEvent): void => {
    if (event.targetInfo.browserContextId === browserContextId) attach(page, event);
  };
  const detachShared = (event: { sessionId: string }): void => {
    if (sessions.has(event.sessionId)) detach(event);
  };

  followThese(page);
  cdp.browser.on('Target.attachedToTarget', attachShared);
  cdp.browser.on('Target.detachedFromTarget', detachShared);
  return {
    onChild: (listener: (child: ChildTarget) => void) => void listeners.add(listener),
    end: () => {
      cdp.browser.off('Target.attachedToTarget', attachShared);
      cdp.browser.off('Target.detachedFromTarget', detachShared);
      for (const [sessionId, gone] of sessions) {
        gone.abort();
        cdp.forget(sessionId);
      }
    },
  };
}
