import type { CdpSession } from './cdp-connection.ts';

/** Follows what the page is doing, from the events of its session, so that nothing has to be polled. */
export interface PageActivity {
  /** Resolves when the document that the main frame shows has fired `load`. */
  loaded(): Promise<void>;
  /** Resolves when the main frame has shown another document than the first `navigations`. */
  navigatedSince(navigations: number): Promise<void>;
  /** Resolves when no request is in flight. */
  idle(): Promise<void>;
  /** Requests begun and documents shown so far: equal numbers mean that nothing happened in between. */
  readonly requests: number;
  readonly navigations: number;
  /** HTTP status of the document that the main frame shows; undefined before it came. */
  readonly documentStatus: number | undefined;
}

/** Connections that are meant to stay open, or that the printed page does not wait for. */
const neverWaitedFor = new Set([
  'EventSource',
  'Media',
  'Ping',
  'Prefetch',
  'WebSocket',
  'CSPViolationReport',
]);

export function followActivity(page: CdpSession): PageActivity {
  /** Request to the loader of the document that made it. */
  const inFlight = new Map<string, string>();
  const waiting = new Set<() => void>();
  const statuses = new Map<string, number>();
  let requests = 0;
  let navigations = 0;
  let shownLoader: string | undefined;
  let loadedLoader: string | undefined;

  const changed = (): void => {
    for (const check of waiting) check();
  };
  const until = (condition: () => boolean): Promise<void> => {
    if (condition()) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = (): void => {
      if (!condition()) return;
      waiting.delete(check);
      resolve();
    };
    waiting.add(check);
    return promise;
  };
  const ended = ({ requestId }: { requestId: string }): void => {
    if (inFlight.delete(requestId) && inFlight.size === 0) changed();
  };

  page.on('Network.requestWillBeSent', ({ requestId, loaderId, type }) => {
    requests += 1;
    if (!neverWaitedFor.has(type ?? '')) inFlight.set(requestId, loaderId);
  });
  page.on('Network.responseReceived', ({ requestId, loaderId, response }) => {
    // The request of a document has the id of its loader.
    if (requestId === loaderId) statuses.set(loaderId, response.status);
  });
  page.on('Network.loadingFinished', ended);
  page.on('Network.loadingFailed', ended);
  page.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined || frame.url === 'about:blank') return;
    navigations += 1;
    shownLoader = frame.loaderId;
    // What the former document had asked for will not be told any more.
    for (const [requestId, loaderId] of inFlight)
      if (loaderId !== frame.loaderId) inFlight.delete(requestId);
    changed();
  });
  page.on('Page.loadEventFired', () => {
    loadedLoader = shownLoader;
    changed();
  });

  return {
    loaded: () => until(() => shownLoader !== undefined && loadedLoader === shownLoader),
    navigatedSince: (before) => until(() => navigations > before),
    idle: () => until(() => inFlight.size === 0),
    get requests() {
      return requests;
    },
    get navigations() {
      return navigations;
    },
    get documentStatus() {
      return shownLoader === undefined ? undefined : statuses.get(shownLoader);
    },
  };
}
