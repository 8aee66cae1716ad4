import type { PrintSettings } from '../../contracts/processes/print-settings.ts';
import { BrowserGone } from '../cdp/browser-gone.ts';
import type { CdpConnection, CdpSession } from '../cdp/cdp-connection.ts';
import type { PdfChunks } from '../pdf/pdf-stream.ts';
import type { PrintParameters } from '../pdf/print-parameters.ts';

/** A page in a context of its own, without cookies, cache and storage of other jobs. It is blank until its job begins. */
export interface Page {
  readonly cdp: CdpSession;
  /** Aborted when the process of the page has crashed. */
  readonly crashed: AbortSignal;
  /** Calls the listener with each frame of another site and each worker, before its first script runs. */
  onChild(listener: (child: ChildTarget) => void): void;
  /** Prints the page to a PDF. Rejects with CdpError when Chromium cannot print it. */
  print(parameters: PrintParameters): Promise<PdfChunks>;
  /** Closes the context, with everything that the page opened. */
  close(): Promise<void>;
}

/** A page in a context of its own, as an engine opens it. */
export interface BlankPage {
  readonly targetId: string;
  readonly browserContextId: string;
  /** @param page session of the page, which the engine may use for printing */
  print(page: CdpSession, parameters: PrintParameters): Promise<PdfChunks>;
  closeContext(): Promise<unknown>;
}

/** A frame of another site, or a worker. It has a session of its own. */
export interface ChildTarget {
  readonly type: 'iframe' | 'worker' | 'shared_worker' | 'service_worker';
  readonly url: string;
  readonly session: CdpSession;
  /** Session of the page, frame or worker that created it. */
  readonly parent: CdpSession;
  /** Aborted when the frame or worker has ended. */
  readonly gone: AbortSignal;
}

/** Parameters of `Target.attachedToTarget`. */
interface AttachedEvent {
  readonly sessionId: string;
  readonly targetInfo: { readonly type: string; readonly url: string; browserContextId?: string };
}

/** Makes Chromium keep no bodies of requests and responses. By default it keeps them for a debugger. */
const keepNoBodies = { maxTotalBufferSize: 0, maxResourceBufferSize: 0, maxPostDataSize: 0 };

/**
 * Pauses each frame and worker of a page before its first script runs, so that none of its requests is missed. It costs nothing
 * for a page that has neither.
 */
const attachToChildren = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** Shared workers belong to no page, so the session of the browser attaches to them. */
export const attachToSharedWorkers = {
  ...attachToChildren,
  filter: [{ type: 'shared_worker' }, { exclude: true }],
};

/**
 * The window size that scripts and styles see before the page is laid out for paper. The real window is 16 × 16, because nobody
 * sees its frames. So an invoice costs 193 instead of 219 ms of Chromium's CPU time [measured, interleaved].
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

/** The fonts that Playwright sets on Linux. Chromium's own default for `monospace` is another: Courier New. */
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

/**
 * Prepares a blank page before its job begins, which saves the job 40 ms. It waits for every command, because a page that loads
 * before they are done does not send its events.
 */
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
  const crashController = new AbortController();
  page.on('Inspector.targetCrashed', () =>
    crashController.abort(new BrowserGone('The page crashed.')),
  );
  const children = trackChildren(cdp, page, browserContextId);
  await Promise.all([
    ...preparePage(page, settings),
    page.send('Target.setAutoAttach', attachToChildren),
    cdp.browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
  ]);
  return {
    cdp: page,
    crashed: crashController.signal,
    onChild: children.onChild,
    print: (parameters) => blank.print(page, parameters),
    close: async () => {
      children.end();
      cdp.removeSession(sessionId);
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

/** Attaches to frames and workers, also to those inside them, and lets each one run when its listeners are in place. */
function trackChildren(cdp: CdpConnection, page: CdpSession, browserContextId: string) {
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
    listenForChildren(session);
    const prepared = [
      session.send('Network.enable', keepNoBodies),
      session.send('Runtime.enable'),
      session.send('Target.setAutoAttach', attachToChildren),
      ...(type === 'iframe'
        ? [session.send('Log.enable'), session.send('Performance.enable')]
        : []),
      session.send('Runtime.runIfWaitingForDebugger'),
    ];
    // A child that ends at once does not answer.
    for (const one of prepared) one.catch(() => undefined);
  };
  const detach = ({ sessionId }: { sessionId: string }): void => {
    sessions.get(sessionId)?.abort();
    sessions.delete(sessionId);
    cdp.removeSession(sessionId);
  };
  const listenForChildren = (parent: CdpSession): void => {
    parent.on('Target.attachedToTarget', (event) => attach(parent, event));
    parent.on('Target.detachedFromTarget', detach);
  };
  const attachShared = (event: AttachedEvent): void => {
    if (event.targetInfo.browserContextId === browserContextId) attach(page, event);
  };
  const detachShared = (event: { sessionId: string }): void => {
    if (sessions.has(event.sessionId)) detach(event);
  };

  listenForChildren(page);
  cdp.browser.on('Target.attachedToTarget', attachShared);
  cdp.browser.on('Target.detachedFromTarget', detachShared);
  return {
    onChild: (listener: (child: ChildTarget) => void) => void listeners.add(listener),
    end: () => {
      cdp.browser.off('Target.attachedToTarget', attachShared);
      cdp.browser.off('Target.detachedFromTarget', detachShared);
      for (const [sessionId, gone] of sessions) {
        gone.abort();
        cdp.removeSession(sessionId);
      }
    },
  };
}
