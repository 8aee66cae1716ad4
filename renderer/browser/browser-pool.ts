import { isDeepStrictEqual } from 'node:util';
import type { Page } from '../page/open-page.ts';
import type { RendererLog } from '../renderer-log.ts';
import type { BrowserSettings } from './chromium-flags.ts';
import type { Browser } from './launch-browser.ts';
import { memoryOf } from './process-tree.ts';
import { createSlots } from './slots.ts';

export interface BrowserPoolOptions {
  /** Jobs printed at once. */
  readonly slots: number;
  /** Most browsers kept, at least as many as slots. */
  readonly browsers: number;
  /** Cap of one browser's memory; one that has grown to half of it between jobs is replaced. */
  readonly memoryLimitBytes: number;
  readonly log: RendererLog;
  launch(settings: BrowserSettings): Promise<Browser>;
  /** Browsers are started ahead of their jobs with these. */
  readonly usualSettings: BrowserSettings;
}

/** A browser held by one job, with a blank page in a fresh context. */
export interface Lease {
  readonly browser: Browser;
  readonly page: Page;
  /** Gives the browser back; `false` discards it. */
  release(reusable: boolean): void;
}

export interface PoolStats {
  readonly busySlots: number;
  readonly waiting: number;
  readonly browsers: number;
  readonly launches: number;
  /** Browsers that were given up: killed at a limit, crashed, cancelled. */
  readonly kills: number;
  readonly recycles: number;
}

export interface BrowserPool extends AsyncDisposable {
  /** Starts a browser that waits for its first job. */
  warmUp(): Promise<void>;
  /** Waits for a slot and a browser with these settings that serves no other workspace. */
  acquire(workspaceId: string, settings: BrowserSettings, signal: AbortSignal): Promise<Lease>;
  stats(): PoolStats;
}

interface Member {
  readonly browser: Browser;
  readonly settings: BrowserSettings;
  /** A browser serves one workspace only; none: it is still a spare. */
  workspaceId: string | undefined;
  busy: boolean;
  jobs: number;
  /** The blank page of the next job. */
  page: Promise<Page>;
}

/** What a browser does not give back (caches, fragmentation) is bounded by its age; a launch costs as much as two jobs. */
const maxJobsPerBrowser = 500;
/** Looking costs 1 ms, so not after every job. */
const jobsBetweenMemoryChecks = 20;
/** A context whose page does not answer is killed by Chromium in less. */
const closeTimeoutMs = 2_000;

/** Keeps more browsers than slots, least recently used first, so that interleaved workspaces do not relaunch. */
export function createBrowserPool(options: BrowserPoolOptions): BrowserPool {
  const { browsers: maxBrowsers, memoryLimitBytes, usualSettings, log } = options;
  const slots = createSlots(options.slots);
  /** In the order of their last use. */
  const members = new Set<Member>();
  /** Launches and ends of browsers that are under way. */
  const launching = new Set<Promise<Browser>>();
  const ending = new Set<Promise<void>>();
  let launches = 0;
  let kills = 0;
  let recycles = 0;
  let closed = false;

  const openSpare = (browser: Browser): Promise<Page> => {
    const page = browser.openPage();
    // A browser that ends while it waits is found out when its page is asked for.
    page.catch(() => undefined);
    return page;
  };

  const launch = async (settings = usualSettings, workspaceId?: string): Promise<Member> => {
    if (closed) throw new Error('The renderer is closed.');
    const launched = options.launch(settings);
    launching.add(launched);
    try {
      const browser = await launched;
      launches += 1;
      const busy = workspaceId !== undefined;
      const page = openSpare(browser);
      const member = { browser, settings, workspaceId, busy, jobs: 0, page };
      members.add(member);
      browser.gone.addEventListener('abort', () => members.delete(member), { once: true });
      return member;
    } finally {
      launching.delete(launched);
    }
  };

  const discard = (member: Member): void => {
    members.delete(member);
    const end = Promise.resolve(member.browser[Symbol.asyncDispose]())
      .catch((error) => log.error({ err: error }, 'a browser did not end as it should'))
      .finally(() => ending.delete(end));
    ending.add(end);
  };

  const launchSpare = (): void => {
    const hasSpare = [...members].some((member) => member.workspaceId === undefined);
    if (closed || hasSpare || launching.size > 0 || members.size >= maxBrowsers) return;
    launch().catch((error) => log.error({ err: error }, 'a spare browser did not start'));
  };

  const findIdle = (workspaceId: string, settings: BrowserSettings): Member | undefined => {
    const idle = [...members].filter(
      (member) => !member.busy && isDeepStrictEqual(member.settings, settings),
    );
    return (
      idle.find((member) => member.workspaceId === workspaceId) ??
      idle.find((member) => member.workspaceId === undefined)
    );
  };

  /** A browser of this workspace or a spare, else a new one, in the place of the least recently used where there is no room. */
  const find = async (workspaceId: string, settings: BrowserSettings): Promise<Member> => {
    const hasRoom = (): boolean => members.size + launching.size < maxBrowsers;
    // Where a spare is on its way and nothing else is idle, it is quicker to wait for it.
    while (!findIdle(workspaceId, settings) && !hasRoom() && launching.size > 0)
      await Promise.allSettled([Promise.race(launching)]);
    const found = findIdle(workspaceId, settings);
    if (found) {
      found.busy = true;
      found.workspaceId = workspaceId;
      return found;
    }
    const leastRecentlyUsed = [...members].find((member) => !member.busy);
    if (leastRecentlyUsed && !hasRoom()) discard(leastRecentlyUsed);
    return await launch(settings, workspaceId);
  };

  const recycleIfOld = async (member: Member): Promise<void> => {
    if (member.jobs % jobsBetweenMemoryChecks !== 0) return;
    const bytes = await memoryOf(member.browser).catch(() => Number.POSITIVE_INFINITY);
    if (member.busy || !members.has(member)) return;
    if (member.jobs < maxJobsPerBrowser && bytes < memoryLimitBytes / 2) return;
    recycles += 1;
    discard(member);
    launchSpare();
  };

  /** Ends the job's context, then opens the next one's page. */
  const renew = async (member: Member, page: Page): Promise<Page> => {
    const timer = setTimeout(() => discard(member), closeTimeoutMs);
    try {
      await page.close();
    } finally {
      clearTimeout(timer);
    }
    return await member.browser.openPage();
  };

  const lease = (member: Member, page: Page): Lease => ({
    browser: member.browser,
    page,
    release(reusable) {
      member.browser.proxy.release();
      member.jobs += 1;
      if (reusable && !closed && members.has(member)) {
        members.delete(member);
        members.add(member);
        member.page = renew(member, page);
        member.page.catch(() => undefined);
        member.busy = false;
        recycleIfOld(member).catch(() => discard(member));
      } else {
        kills += 1;
        discard(member);
      }
      slots.give();
      launchSpare();
    },
  });

  return {
    warmUp: async () => {
      await launch();
    },

    async acquire(workspaceId, settings, signal) {
      await slots.take(signal);
      try {
        for (;;) {
          const member = await find(workspaceId, settings);
          const page = await member.page.catch(() => undefined);
          if (!page || page.crashed.aborted) {
            log.warn({}, 'a browser ended while it was idle');
            discard(member);
            continue;
          }
          launchSpare();
          return lease(member, page);
        }
      } catch (error) {
        slots.give();
        throw error;
      }
    },

    stats: () => ({
      busySlots: slots.busy,
      waiting: slots.waiting,
      browsers: members.size,
      launches,
      kills,
      recycles,
    }),

    async [Symbol.asyncDispose]() {
      closed = true;
      await Promise.allSettled(launching);
      for (const member of members) discard(member);
      await Promise.all(ending);
    },
  };
}
