import type { CdpSession } from '../cdp/cdp-connection.ts';
import type { Page } from './open-page.ts';

/** A request that has not ended. */
export interface PendingRequest {
  readonly url: string;
  /** Resource type of the DevTools protocol, such as `Image` or `Fetch`. */
  readonly type: string;
  /** `performance.now()` at its beginning. */
  readonly beganAt: number;
}

/** The document that the main frame shows. */
export interface ShownDocument {
  readonly frameId: string;
  readonly loaderId: string;
  readonly url: string;
  /** HTTP status; undefined where nothing answered. */
  readonly status: number | undefined;
  /** `DOMContentLoaded` has fired: its HTML was read and its deferred scripts ran. */
  readonly parsed: boolean;
  /** `load` has fired. */
  readonly loaded: boolean;
}

/** Follows what the page with its frames and workers is doing, from the events of their sessions. */
export interface PageActivity {
  /** Undefined before the first document came. */
  readonly document: ShownDocument | undefined;
  /** Requests that printing waits for. */
  readonly pending: readonly PendingRequest[];
  readonly pendingCount: number;
  /** Number of events so far; the same number twice means that nothing happened between. */
  readonly changes: number;
  readonly navigations: number;
  readonly workers: ReadonlySet<CdpSession>;
  /** Resolves with true when the condition holds, which is asked at each change, and with false at the deadline. */
  until(condition: () => boolean, deadline?: number): Promise<boolean>;
}

/** Requests that stay open by nature, or that the printed page does not show. */
const neverWaitedFor = new Set([
  'CSPViolationReport',
  'EventSource',
  'Manifest',
  'Media',
  'Ping',
  'Prefetch',
  'WebSocket',
]);

/** A worker starts within this time of its script's arrival; one that has not was terminated. */
const workerStartMs = 250;

interface OwnedRequest extends PendingRequest {
  /** Session that reports its end. */
  owner: CdpSession;
  /** Loader of the document that made it; empty for the script of a worker. */
  readonly loaderId: string;
}

/**
 * @param isOpen tells whether the request for an address of the document's origin has not been answered in full
 * @param ended aborted when the print has ended: waits reject then
 */
export function followActivity(
  page: Page,
  isOpen: (url: string) => boolean,
  ended: AbortSignal,
): PageActivity {
  const pending = new Map<string, OwnedRequest>();
  const statuses = new Map<string, number>();
  const checks = new Set<() => void>();
  const workers = new Set<CdpSession>();
  let shown: Omit<ShownDocument, 'status'> | undefined;
  let changes = 0;
  let navigations = 0;

  const changed = (): void => {
    changes += 1;
    for (const check of checks) check();
  };
  const until = (condition: () => boolean, deadline = Number.POSITIVE_INFINITY) => {
    if (condition()) return Promise.resolve(true);
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const end = (): void => {
      checks.delete(check);
      clearTimeout(timer);
      ended.removeEventListener('abort', onEnd);
    };
    const settle = (isMet: boolean): void => {
      end();
      resolve(isMet);
    };
    const check = (): void => {
      if (condition()) settle(true);
    };
    const onEnd = (): void => {
      end();
      reject(ended.reason);
    };
    const isBounded = Number.isFinite(deadline);
    const timer = isBounded
      ? setTimeout(settle, Math.max(0, deadline - performance.now()), false)
      : undefined;
    checks.add(check);
    ended.addEventListener('abort', onEnd);
    if (ended.aborted) onEnd();
    return promise;
  };
  const forget = (obsolete: (request: OwnedRequest) => boolean): void => {
    for (const [requestId, request] of pending) if (obsolete(request)) pending.delete(requestId);
  };

  /** Workers run scripts of the document's origin, or made by it. */
  const isOwnScript = (url: string): boolean =>
    /^(blob|data):/.test(url) || URL.parse(url)?.origin === URL.parse(shown?.url ?? '')?.origin;
  /** Nothing reports the end of a script whose worker was terminated before it started. */
  const dropIfNeverStarted = (requestId: string, request: OwnedRequest): void => {
    const { owner } = request;
    setTimeout(() => {
      if (request.owner !== owner || pending.get(requestId) !== request) return;
      if (isOpen(request.url)) dropIfNeverStarted(requestId, request);
      else if (pending.delete(requestId)) changed();
    }, workerStartMs).unref();
  };
  const followRequests = (session: CdpSession): void => {
    const end = ({ requestId }: { requestId: string }): void => {
      if (pending.delete(requestId)) changed();
    };
    session.on('Network.requestWillBeSent', ({ requestId, loaderId, type = 'Other', request }) => {
      // A preload hint for another page: it is reported as `Other`.
      const isPrefetch = /^prefetch/.test(
        request.headers['Sec-Purpose'] ?? request.headers.Purpose ?? '',
      );
      if (neverWaitedFor.has(type) || isPrefetch) return;
      const beganAt = pending.get(requestId)?.beganAt ?? performance.now();
      const begun = { url: request.url, type, beganAt, owner: session, loaderId };
      pending.set(requestId, begun);
      if (loaderId === '' && type === 'Script' && isOwnScript(request.url))
        dropIfNeverStarted(requestId, begun);
      changed();
    });
    session.on('Network.loadingFinished', end);
    session.on('Network.loadingFailed', end);
  };

  followRequests(page.cdp);
  page.cdp.on('Network.responseReceived', ({ requestId, loaderId, response }) => {
    // The request of a document has the id of its loader.
    if (requestId === loaderId) statuses.set(loaderId, response.status);
  });
  page.cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return;
    const { id: frameId, loaderId, url } = frame;
    navigations += 1;
    shown = { frameId, loaderId, url, parsed: false, loaded: false };
    // The end of what the former document asked for is not reported any more.
    forget((request) => request.owner === page.cdp && request.loaderId !== loaderId);
    changed();
  });
  const update = (state: Pick<ShownDocument, 'parsed'> & Partial<ShownDocument>): void => {
    if (shown) shown = { ...shown, ...state };
    changed();
  };
  page.cdp.on('Page.domContentEventFired', () => update({ parsed: true }));
  page.cdp.on('Page.loadEventFired', () => update({ parsed: true, loaded: true }));
  // A document that stops its own loading fires neither, and nothing more comes of it.
  page.cdp.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (frameId !== shown?.frameId || shown.loaded) return;
    pending.delete(shown.loaderId);
    update({ parsed: true, loaded: true });
  });

  page.onChild(({ type, url, session, parent, gone }) => {
    // A service worker outlives its page; what it fetches for the page is a request of the page.
    if (type === 'service_worker') return;
    followRequests(session);
    if (type !== 'iframe') workers.add(session);
    // The script of a worker is asked for by its parent, and its end is reported to the worker.
    const script = [...pending.values()].find(
      (request) => request.loaderId === '' && request.url === url && request.owner === parent,
    );
    if (script) script.owner = session;
    gone.addEventListener('abort', () => {
      workers.delete(session);
      forget((request) => request.owner === session);
      changed();
    });
    changed();
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
    get changes() {
      return changes;
    },
    get navigations() {
      return navigations;
    },
    workers,
    until,
  };
}
