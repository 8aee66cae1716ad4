import type { CdpSession } from '../cdp/cdp-connection.ts';
import type { Page } from './open-page.ts';

/** A request that has not finished. */
export interface PendingRequest {
  readonly url: string;
  /** Resource type of the DevTools protocol, such as `Image` or `Fetch`. */
  readonly type: string;
  /** `performance.now()` when the request started, before any redirect. */
  readonly startedAt: number;
}

/** The document that the main frame shows. */
export interface ShownDocument {
  readonly frameId: string;
  readonly loaderId: string;
  readonly url: string;
  /** HTTP status; undefined if no server answered. */
  readonly status: number | undefined;
  /** `DOMContentLoaded` has fired: the HTML was read, and deferred scripts have run. Also true if the document stopped its own loading. */
  readonly isParsed: boolean;
  /** `load` has fired, or the document stopped its own loading. */
  readonly isLoaded: boolean;
}

/** Shows what a page, its frames and its workers are doing. It is updated by the events of their sessions. */
export interface PageActivity {
  /** Undefined until the first document has arrived. */
  readonly document: ShownDocument | undefined;
  /** Requests that printing waits for and that have not finished. */
  readonly pending: readonly PendingRequest[];
  readonly pendingCount: number;
  /** Number of events so far. If it is the same twice, nothing has happened in between. */
  readonly eventCount: number;
  /** Number of documents that the main frame has navigated to. */
  readonly navigations: number;
  readonly workers: ReadonlySet<CdpSession>;
  /**
   * Resolves with true when the condition holds, and with false at the deadline (`performance.now()`). The condition is checked
   * after each event. Rejects when the print has ended.
   */
  waitUntil(condition: () => boolean, deadline?: number): Promise<boolean>;
}

/** Types of requests that are not waited for: they stay open by design, or the printed page does not show them. */
const ignoredTypes = new Set([
  'CSPViolationReport',
  'EventSource',
  'Manifest',
  'Media',
  'Ping',
  'Prefetch',
  'WebSocket',
]);

/** A worker starts within this time after its script has arrived. A worker that has not started by then was terminated. */
const workerStartMs = 250;

interface OwnedRequest extends PendingRequest {
  /** Session that reports the end of the request. */
  owner: CdpSession;
  /** Loader of the document that sent the request; empty for the script of a worker. */
  readonly loaderId: string;
}

/**
 * Tracks the activity of a page from now on.
 *
 * @param isRequestOpen returns true while a request for this address of the document's origin is being answered
 * @param jobEnded aborted when the print has ended: `waitUntil` rejects then
 */
export function trackActivity(
  page: Page,
  isRequestOpen: (url: string) => boolean,
  jobEnded: AbortSignal,
): PageActivity {
  const pending = new Map<string, OwnedRequest>();
  const statuses = new Map<string, number>();
  const checks = new Set<() => void>();
  const workers = new Set<CdpSession>();
  let shown: Omit<ShownDocument, 'status'> | undefined;
  let eventCount = 0;
  let navigations = 0;

  const onEvent = (): void => {
    eventCount += 1;
    for (const check of checks) check();
  };
  const waitUntil = (condition: () => boolean, deadline = Number.POSITIVE_INFINITY) => {
    if (condition()) return Promise.resolve(true);
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const cleanUp = (): void => {
      checks.delete(check);
      clearTimeout(timer);
      jobEnded.removeEventListener('abort', onJobEnd);
    };
    const settle = (isMet: boolean): void => {
      cleanUp();
      resolve(isMet);
    };
    const check = (): void => {
      if (condition()) settle(true);
    };
    const onJobEnd = (): void => {
      cleanUp();
      reject(jobEnded.reason);
    };
    const isBounded = Number.isFinite(deadline);
    const timer = isBounded
      ? setTimeout(settle, Math.max(0, deadline - performance.now()), false)
      : undefined;
    checks.add(check);
    jobEnded.addEventListener('abort', onJobEnd);
    if (jobEnded.aborted) onJobEnd();
    return promise;
  };
  const removeRequests = (matches: (request: OwnedRequest) => boolean): void => {
    for (const [requestId, request] of pending) if (matches(request)) pending.delete(requestId);
  };

  /** True for scripts of the document's origin, and for those that it created. Workers run only these. */
  const isOwnScript = (url: string): boolean =>
    /^(blob|data):/.test(url) || URL.parse(url)?.origin === URL.parse(shown?.url ?? '')?.origin;
  /** Removes the script of a worker that was terminated before it started, because nothing reports the end of that request. */
  const removeIfNeverStarted = (requestId: string, request: OwnedRequest): void => {
    const { owner } = request;
    setTimeout(() => {
      if (request.owner !== owner || pending.get(requestId) !== request) return;
      if (isRequestOpen(request.url)) removeIfNeverStarted(requestId, request);
      else if (pending.delete(requestId)) onEvent();
    }, workerStartMs).unref();
  };
  const trackRequests = (session: CdpSession): void => {
    const onFinished = ({ requestId }: { requestId: string }): void => {
      if (pending.delete(requestId)) onEvent();
    };
    session.on('Network.requestWillBeSent', ({ requestId, loaderId, type = 'Other', request }) => {
      // A prefetch is for another page. Chromium reports its type as `Other`.
      const isPrefetch = /^prefetch/.test(
        request.headers['Sec-Purpose'] ?? request.headers.Purpose ?? '',
      );
      if (ignoredTypes.has(type) || isPrefetch) return;
      const startedAt = pending.get(requestId)?.startedAt ?? performance.now();
      const started = { url: request.url, type, startedAt, owner: session, loaderId };
      pending.set(requestId, started);
      if (loaderId === '' && type === 'Script' && isOwnScript(request.url))
        removeIfNeverStarted(requestId, started);
      onEvent();
    });
    session.on('Network.loadingFinished', onFinished);
    session.on('Network.loadingFailed', onFinished);
  };

  trackRequests(page.cdp);
  page.cdp.on('Network.responseReceived', ({ requestId, loaderId, response }) => {
    // The request for a document has the id of its loader.
    if (requestId === loaderId) statuses.set(loaderId, response.status);
  });
  page.cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return;
    const { id: frameId, loaderId, url } = frame;
    navigations += 1;
    shown = { frameId, loaderId, url, isParsed: false, isLoaded: false };
    // Chromium does not report the end of the former document's requests any more.
    removeRequests((request) => request.owner === page.cdp && request.loaderId !== loaderId);
    onEvent();
  });
  const update = (state: Pick<ShownDocument, 'isParsed'> & Partial<ShownDocument>): void => {
    if (shown) shown = { ...shown, ...state };
    onEvent();
  };
  page.cdp.on('Page.domContentEventFired', () => update({ isParsed: true }));
  page.cdp.on('Page.loadEventFired', () => update({ isParsed: true, isLoaded: true }));
  // A document that stops its own loading fires neither event, and loads nothing more.
  page.cdp.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (frameId !== shown?.frameId || shown.isLoaded) return;
    pending.delete(shown.loaderId);
    update({ isParsed: true, isLoaded: true });
  });

  page.onChild(({ type, url, session, parent, gone }) => {
    // A service worker outlives its page. Its fetches for the page are also requests of the page.
    if (type === 'service_worker') return;
    trackRequests(session);
    if (type !== 'iframe') workers.add(session);
    // The parent requests the script of a worker, but the end of that request is reported to the session of the worker.
    const script = [...pending.values()].find(
      (request) => request.loaderId === '' && request.url === url && request.owner === parent,
    );
    if (script) script.owner = session;
    gone.addEventListener('abort', () => {
      workers.delete(session);
      removeRequests((request) => request.owner === session);
      onEvent();
    });
    onEvent();
  });

  return {
    get document() {
      return shown && { ...shown, status: statuses.get(shown.loaderId) };
    },
    get pending() {
      return [...pending.values()];
    },
    get pendingCount() {
      return pending.size;
    },
    get eventCount() {
      return eventCount;
    },
    get navigations() {
      return navigations;
    },
    workers,
    waitUntil,
  };
}
