import { isDeepStrictEqual } from 'node:util';
import type { Page } from '../page/open-page.ts';
import type { RendererLog } from '../renderer-log.ts';
import { measureMemoryBytes } from './browser-processes.ts';
import type { BrowserSettings } from './chromium-flags.ts';
import type { Browser } from './launch-browser.ts';
import { createSlots } from './slots.ts';

/** Idle browsers may have ended all at once, so a job tries more than one. Chromium cannot open pages at all if so many fail. */
const maxPageTries = 20;

export interface BrowserPoolOptions {
  /** Number of jobs printed at the same time. */
  readonly slots: number;
  /** The maximum number of browsers that are kept. It is at least the number of slots. */
  readonly browsers: number;
  /** The maximum memory of one browser during a job. A browser that uses half of it or more between jobs is replaced. */
  readonly memoryLimitBytes: number;
  readonly log: RendererLog;
  launch(settings: BrowserSettings): Promise<Browser>;
  /** Spare browsers are started with these settings, before it is known which job they will print. */
  readonly defaultSettings: BrowserSettings;
}

/** A browser that one job holds, with a blank page in a fresh context. */
export interface Lease {
  readonly browser: Browser;
  readonly page: Page;
  /** Returns the browser to the pool, or discards it if it is not reusable. */
  release(isReusable: boolean): void;
}

export interface PoolStats {
  readonly busySlots: number;
  /** Jobs that wait for a slot. */
  readonly waiting: number;
  readonly browsers: number;
  /** Browsers that were started since the renderer was created. */
  readonly launches: number;
  /** Browsers that were discarded after a job, because they crashed, or were killed at a limit or by a cancellation. */
  readonly kills: number;
  /** Browsers that were replaced between jobs: they had printed many, used much memory, or their memory could not be measured. */
  readonly recycles: number;
}

export interface BrowserPool extends AsyncDisposable {
  /** Starts a spare browser. */
  warmUp(): Promise<void>;
  /**
   * Waits for a slot, then returns a browser with these settings that has never printed for another workspace: an idle, a spare or
   * a new one. Rejects with the signal's reason when that aborts, and if no browser opens a page.
   */
  acquire(workspaceId: string, settings: BrowserSettings, signal: AbortSignal): Promise<Lease>;
  stats(): PoolStats;
}

interface PooledBrowser {
  readonly browser: Browser;
  readonly settings: BrowserSettings;
  /** The only workspace whose jobs this browser prints; undefined for a spare browser. */
  workspaceId: string | undefined;
  isBusy: boolean;
  /** Number of jobs that have ended in this browser. */
  jobs: number;
  /** The blank page of the next job. */
  page: Promise<Page>;
}

/** Bounds the memory that a browser does not release (caches, fragmentation). A launch costs as much as two jobs. */
const maxJobsPerBrowser = 500;
/** A check costs 1 ms, so it is not done after every job. */
const jobsBetweenMemoryChecks = 20;
/** A browser that takes longer to close a page is discarded. Chromium kills a page that does not answer in less time. */
const closeTimeoutMs = 2_000;

/**
 * Creates a pool that can keep more browsers than slots, so that interleaved workspaces do not launch browsers again and again. The
 * least recently used browser is discarded first.
 */
export function createBrowserPool(options: BrowserPoolOptions): BrowserPool {
  const { browsers: maxBrowsers, memoryLimitBytes, defaultSettings, log } = options;
  const slots = createSlots(options.slots);
  /** All browsers, the least recently used one first. */
  const pool = new Set<PooledBrowser>();
  /** Browsers that are being started. */
  const launching = new Set<Promise<Browser>>();
  /** Browsers that are being closed. */
  const ending = new Set<Promise<void>>();
  let launches = 0;
  let kills = 0;
  let recycles = 0;
  let isClosed = false;

  const openFirstPage = (browser: Browser): Promise<Page> => {
    const page = browser.openPage();
    // `acquire` notices a browser that has ended meanwhile, when it asks for this page.
    page.catch(() => undefined);
    return page;
  };

  const launch = async (
    settings = defaultSettings,
    workspaceId?: string,
  ): Promise<PooledBrowser> => {
    if (isClosed) throw new Error('The renderer is closed.');
    const launched = options.launch(settings);
    launching.add(launched);
    try {
      const browser = await launched;
      launches += 1;
      const isBusy = workspaceId !== undefined;
      const page = openFirstPage(browser);
      const entry = { browser, settings, workspaceId, isBusy, jobs: 0, page };
      pool.add(entry);
      browser.gone.addEventListener('abort', () => pool.delete(entry), { once: true });
      return entry;
    } finally {
      launching.delete(launched);
    }
  };

  const discard = (entry: PooledBrowser): void => {
    pool.delete(entry);
    const end = Promise.resolve(entry.browser[Symbol.asyncDispose]())
      .catch((error) => log.error({ err: error }, 'a browser could not be closed'))
      .finally(() => ending.delete(end));
    ending.add(end);
  };

  const launchSpare = (): void => {
    const hasSpare = [...pool].some((entry) => entry.workspaceId === undefined);
    if (isClosed || hasSpare || launching.size > 0 || pool.size >= maxBrowsers) return;
    launch().catch((error) => log.error({ err: error }, 'a spare browser could not be started'));
  };

  const findIdle = (workspaceId: string, settings: BrowserSettings): PooledBrowser | undefined => {
    const idle = [...pool].filter(
      (entry) => !entry.isBusy && isDeepStrictEqual(entry.settings, settings),
    );
    return (
      idle.find((entry) => entry.workspaceId === workspaceId) ??
      idle.find((entry) => entry.workspaceId === undefined)
    );
  };

  /**
   * Finds an idle browser of this workspace with these settings, or a spare one, or launches a new one. If there is no room for
   * a new one, the least recently used idle browser is discarded.
   */
  const findOrLaunch = async (
    workspaceId: string,
    settings: BrowserSettings,
  ): Promise<PooledBrowser> => {
    const hasRoom = (): boolean => pool.size + launching.size < maxBrowsers;
    // Without room for another browser, wait for one that is starting: it may be a spare browser that this job can use.
    while (!findIdle(workspaceId, settings) && !hasRoom() && launching.size > 0)
      await Promise.allSettled([Promise.race(launching)]);
    const found = findIdle(workspaceId, settings);
    if (found) {
      found.isBusy = true;
      found.workspaceId = workspaceId;
      return found;
    }
    const leastRecentlyUsed = [...pool].find((entry) => !entry.isBusy);
    if (leastRecentlyUsed && !hasRoom()) discard(leastRecentlyUsed);
    return await launch(settings, workspaceId);
  };

  const recycleIfDue = async (entry: PooledBrowser): Promise<void> => {
    if (entry.jobs % jobsBetweenMemoryChecks !== 0) return;
    const bytes = await measureMemoryBytes(entry.browser).catch(() => Number.POSITIVE_INFINITY);
    if (entry.isBusy || !pool.has(entry)) return;
    if (entry.jobs < maxJobsPerBrowser && bytes < memoryLimitBytes / 2) return;
    recycles += 1;
    discard(entry);
    launchSpare();
  };

  /** Closes the page of the job with its context, then opens the page of the next job. */
  const renewPage = async (entry: PooledBrowser, page: Page): Promise<Page> => {
    const timer = setTimeout(() => discard(entry), closeTimeoutMs);
    try {
      await page.close();
    } finally {
      clearTimeout(timer);
    }
    return await entry.browser.openPage();
  };

  const createLease = (entry: PooledBrowser, page: Page): Lease => ({
    browser: entry.browser,
    page,
    release(isReusable) {
      entry.browser.proxy.release();
      entry.jobs += 1;
      if (isReusable && !isClosed && pool.has(entry)) {
        pool.delete(entry);
        pool.add(entry);
        entry.page = renewPage(entry, page);
        entry.page.catch(() => undefined);
        entry.isBusy = false;
        recycleIfDue(entry).catch(() => discard(entry));
      } else {
        kills += 1;
        discard(entry);
      }
      slots.release();
      launchSpare();
    },
  });

  return {
    warmUp: async () => {
      await launch();
    },

    async acquire(workspaceId, settings, signal) {
      await slots.acquire(signal);
      try {
        for (let tries = 0; tries < maxPageTries; tries++) {
          signal.throwIfAborted();
          const entry = await findOrLaunch(workspaceId, settings);
          const page = await entry.page.catch(() => undefined);
          if (!page || page.crashed.aborted) {
            log.warn({}, 'a browser has no usable page; another one is used');
            discard(entry);
            continue;
          }
          launchSpare();
          return createLease(entry, page);
        }
        throw new Error(`None of ${maxPageTries} browsers opened a page.`);
      } catch (error) {
        slots.release();
        throw error;
      }
    },

    stats: () => ({
      busySlots: slots.busy,
      waiting: slots.waiting,
      browsers: pool.size,
      launches,
      kills,
      recycles,
    }),

    async [Symbol.asyncDispose]() {
      isClosed = true;
      await Promise.allSettled(launching);
      for (const entry of pool) discard(entry);
      await Promise.all(ending);
    },
  };
}
