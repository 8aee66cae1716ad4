import { isDeepStrictEqual } from 'node:util';
import type { Page } from '../page/open-page.ts';
import type { RendererLog } from '../renderer-log.ts';
import { measureMemoryBytes } from './browser-processes.ts';
import type { BrowserSettings } from './chromium-flags.ts';
import type { Browser } from './launch-browser.ts';
import { createSlots } from './slots.ts';

export interface BrowserPoolOptions {
  /** Number of jobs printed at the same time. */
  readonly slots: number;
  /** Most browsers that are kept, at least as many as slots. */
  readonly browsers: number;
  /** Most memory of one browser. A browser that has grown to half of it between jobs is replaced. */
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
  readonly waiting: number;
  readonly browsers: number;
  readonly launches: number;
  /** Browsers that were discarded because they crashed, or were killed at a limit or by a cancellation. */
  readonly kills: number;
  /** Browsers that were replaced because of their age or memory. */
  readonly recycles: number;
}

export interface BrowserPool extends AsyncDisposable {
  /** Starts a spare browser. */
  warmUp(): Promise<void>;
  /**
   * Waits for a slot and a browser with these settings that no other workspace uses. Rejects with the signal's reason when that
   * aborts before there is a slot.
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
  jobs: number;
  /** The blank page of the next job. */
  page: Promise<Page>;
}

/** Bounds the memory that a browser does not release (caches, fragmentation). A launch costs as much as two jobs. */
const maxJobsPerBrowser = 500;
/** A check costs 1 ms, so it is not done after every job. */
const jobsBetweenMemoryChecks = 20;
/** Longer than Chromium needs to kill a context whose page does not answer. */
const closeTimeoutMs = 2_000;

/**
 * Creates a pool that keeps more browsers than slots, so that interleaved workspaces do not launch browsers again and again. The
 * least recently used browser is discarded first.
 */
export function createBrowserPool(options: BrowserPoolOptions): BrowserPool {
  const { browsers: maxBrowsers, memoryLimitBytes, defaultSettings, log } = options;
  const slots = createSlots(options.slots);
  /** All browsers, the least recently used one first. */
  const pool = new Set<PooledBrowser>();
  /** Browsers that are starting and ending now. */
  const launching = new Set<Promise<Browser>>();
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
   * Finds an idle browser of this workspace, or a spare one, or launches a new one. If there is no room for a new one, the least
   * recently used idle browser is discarded.
   */
  const findOrLaunch = async (
    workspaceId: string,
    settings: BrowserSettings,
  ): Promise<PooledBrowser> => {
    const hasRoom = (): boolean => pool.size + launching.size < maxBrowsers;
    // If a spare browser is starting and no other is idle, it is quicker to wait for it.
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

  const recycleIfOld = async (entry: PooledBrowser): Promise<void> => {
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
        recycleIfOld(entry).catch(() => discard(entry));
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
        for (;;) {
          const entry = await findOrLaunch(workspaceId, settings);
          const page = await entry.page.catch(() => undefined);
          if (!page || page.crashed.aborted) {
            log.warn({}, 'an idle browser has ended; another one is used');
            discard(entry);
            continue;
          }
          launchSpare();
          return createLease(entry, page);
        }
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
