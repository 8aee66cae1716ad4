import { CdpError, type CdpSession } from './cdp-connection.ts';
import { evaluate, PageException } from './evaluate.ts';
import type { PageActivity } from './page-activity.ts';
import { settle, waitForRenderReady } from './page-scripts.ts';
import { RenderError } from './render-error.ts';

/** How Chromium says that the document of a script is no longer there. */
const contextLost = /context was destroyed|Cannot find context|navigated or closed/;

/**
 * Resolves when the page is ready to be printed: `load`, fonts, images, no request in flight, then `window.renderReady`, and
 * what that brought in. Every wait is for an event; the watchdog bounds all of it.
 */
export async function waitUntilReady(page: CdpSession, activity: PageActivity): Promise<void> {
  for (;;) {
    const { navigations } = activity;
    try {
      await activity.loaded();
      await quiet(page, activity);
      await evaluate(page, waitForRenderReady);
      await quiet(page, activity);
      return;
    } catch (error) {
      if (error instanceof PageException)
        throw new RenderError('render_failed', `The document is not ready: ${error.message}`);
      if (!(error instanceof CdpError) || !contextLost.test(error.message)) throw error;
      // The page is going to another document: that one is to be waited for.
      await activity.navigatedSince(navigations);
    }
  }
}

/** Settles until nothing was requested meanwhile. */
async function quiet(page: CdpSession, activity: PageActivity): Promise<void> {
  let requests: number;
  do {
    requests = activity.requests;
    await evaluate(page, settle);
    await activity.idle();
  } while (activity.requests !== requests);
}
