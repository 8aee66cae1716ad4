import type { LogCode, RenderEvent } from '../../contracts/logs.ts';
import type { CdpSession } from '../cdp/cdp-connection.ts';
import { describeException, describeValue, publicUrl, withPublicUrls } from './describe-value.ts';
import type { Page } from './open-page.ts';

/** Longer messages are cut: an event is a line of a log. */
const maxMessageLength = 1_000;

export type ReportEvent = (event: Omit<RenderEvent, 'createdAt'>) => void;

/** Stamps events and cuts their messages. */
export const eventReporter =
  (onEvent: (event: RenderEvent) => void): ReportEvent =>
  (event) =>
    onEvent({
      ...event,
      createdAt: Date.now(),
      message: cut(event.message),
    });

const cut = (text: string): string =>
  text.length > maxMessageLength ? `${text.slice(0, maxMessageLength - 1)}…` : text;

export type Warn = (code: LogCode, message: string) => void;

/** Reports a defect of the page or of its PDF. */
export const warner =
  (report: ReportEvent): Warn =>
  (code, message) =>
    report({ level: 'warn', stage: 'page', code, message });

const consoleLevels: Readonly<Record<string, 'error' | 'warn'>> = {
  error: 'error',
  assert: 'error',
  warning: 'warn',
};

/** Log entries that no other event reports, by source; `network` is left out because it repeats failed requests. */
const logCodes: Readonly<Record<string, LogCode>> = {
  security: 'content_blocked',
  other: 'browser_warning',
  worker: 'browser_warning',
  intervention: 'browser_warning',
};
const brokenFont = /^Failed to decode downloaded font/;
/** Lines of the font parser repeat the error before them. */
const fontDetail = /^OTS parsing error/;

/**
 * Reports what a developer would see in the console of the page, and answers dialogs, which would stop it for ever.
 *
 * @returns addresses of requests that failed, as far as they are known; each is reported once, and one that is added not at all
 */
export function reportPageEvents(page: Page, origin: string, warn: Warn): Set<string> {
  const failed = new Set<string>();
  const { cdp } = page;
  reportSession(cdp, origin, warn, failed);
  page.onChild(({ type, session }) => {
    if (type !== 'service_worker') reportSession(session, origin, warn, failed);
  });
  cdp.on('Page.javascriptDialogOpening', ({ type, message }) => {
    // A page that asks before it is left must not stay because of that.
    const accept = type === 'beforeunload';
    cdp.send('Page.handleJavaScriptDialog', { accept }).catch(() => undefined);
    warn('dialog_closed', `${type}: ${message}`);
  });
  cdp.on('Page.windowOpen', ({ url }) =>
    warn(
      'popup_blocked',
      `A window for ${publicUrl(url || 'about:blank', origin)} was not opened: only the document itself is printed.`,
    ),
  );
  return failed;
}

/** The part that frames of other sites and workers report too. */
function reportSession(session: CdpSession, origin: string, warn: Warn, failed: Set<string>): void {
  const urls = new Map<string, string>();
  const warnOnce = (url: string, what: string): void => {
    if (!failed.has(url)) warn('request_failed', `${publicUrl(url, origin)} ${what}`);
    failed.add(url);
  };
  session.on('Runtime.consoleAPICalled', ({ type, args }) => {
    const level = consoleLevels[type];
    if (level) warn(`console_${level}`, args.map(describeValue).join(' '));
  });
  session.on('Runtime.exceptionThrown', ({ exceptionDetails }) =>
    warn('page_error', describeException(exceptionDetails, origin)),
  );
  session.on('Log.entryAdded', ({ entry: { source, level, text } }) => {
    const code = logCodes[source];
    if (!code || level === 'info' || level === 'verbose' || fontDetail.test(text)) return;
    warn(brokenFont.test(text) ? 'font_broken' : code, withPublicUrls(text, origin));
  });
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    urls.set(requestId, request.url);
  });
  session.on('Network.responseReceived', ({ requestId, response, type }) => {
    urls.delete(requestId);
    const { url, status, mimeType } = response;
    if (status >= 400 && type !== 'Document') warnOnce(url, `answered ${status}`);
    else if (type === 'Stylesheet' && mimeType !== 'text/css')
      warn(
        'stylesheet_ignored',
        `${publicUrl(url, origin)} is ${mimeType || 'of no type'}, not text/css: it is not used.`,
      );
  });
  session.on('Network.loadingFailed', ({ requestId, errorText, canceled, blockedReason }) => {
    const url = urls.get(requestId);
    urls.delete(requestId);
    if (url === undefined) return;
    if (canceled) failed.add(url);
    else warnOnce(url, `failed: ${blockedReason ?? errorText}`);
  });
}
