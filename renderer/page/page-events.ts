import type { LogCode, RenderEvent } from '../../contracts/logs.ts';
import type { CdpSession } from '../cdp/cdp-connection.ts';
import { describeException, describeValue, publicUrl, withPublicUrls } from './message-parts.ts';
import type { Page } from './open-page.ts';

/** Longer messages are cut, because each one is a line of the log. */
const maxMessageLength = 1_000;

export type ReportEvent = (event: Omit<RenderEvent, 'createdAt'>) => void;

/** Creates a reporter that adds the time to events and cuts long messages. */
export const createReporter =
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

/** Creates a function that reports a defect of the page or of its PDF. */
export const createWarn =
  (report: ReportEvent): Warn =>
  (code, message) =>
    report({ level: 'warn', stage: 'page', code, message });

const consoleLevels: Readonly<Record<string, 'error' | 'warn'>> = {
  error: 'error',
  assert: 'error',
  warning: 'warn',
};

/** Codes of Chromium's log entries by source. The source `network` is left out, because it repeats failed requests. */
const logCodes: Readonly<Record<string, LogCode>> = {
  security: 'content_blocked',
  other: 'browser_warning',
  worker: 'browser_warning',
  intervention: 'browser_warning',
};
const brokenFont = /^Failed to decode downloaded font/;
/** The font parser logs more about the error of the previous log entry. */
const fontDetail = /^OTS parsing error/;

/**
 * Reports the warnings and errors that a developer would see in the console of the page. Closes dialogs, which would block the
 * page for ever.
 *
 * @returns addresses of requests that have failed or were canceled so far. A failure is reported once for each address, and never
 * for an address that the caller adds
 */
export function reportPageEvents(page: Page, origin: string, warn: Warn): Set<string> {
  const failedUrls = new Set<string>();
  const { cdp } = page;
  reportSession(cdp, origin, warn, failedUrls);
  page.onChild(({ type, session }) => {
    if (type !== 'service_worker') reportSession(session, origin, warn, failedUrls);
  });
  cdp.on('Page.javascriptDialogOpening', ({ type, message }) => {
    // Accepting this dialog lets the page navigate.
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
  return failedUrls;
}

/** Reports the events of one session: that of the page, of a worker, or of a frame of another site. */
function reportSession(
  session: CdpSession,
  origin: string,
  warn: Warn,
  failedUrls: Set<string>,
): void {
  const urls = new Map<string, string>();
  const warnOnce = (url: string, outcome: string): void => {
    if (!failedUrls.has(url)) warn('request_failed', `${publicUrl(url, origin)} ${outcome}`);
    failedUrls.add(url);
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
        `${publicUrl(url, origin)} is not used as a stylesheet: its content type is ${mimeType || 'missing'}, not text/css.`,
      );
  });
  session.on('Network.loadingFailed', ({ requestId, errorText, canceled, blockedReason }) => {
    const url = urls.get(requestId);
    urls.delete(requestId);
    if (url === undefined) return;
    if (canceled) failedUrls.add(url);
    else warnOnce(url, `failed: ${blockedReason ?? errorText}`);
  });
}
