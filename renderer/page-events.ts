import type { RenderEvent } from '../contracts/logs.ts';
import type { CdpSession } from './cdp-connection.ts';

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

const consoleLevels: Readonly<Record<string, 'error' | 'warn'>> = {
  error: 'error',
  assert: 'error',
  warning: 'warn',
};

/** Reports what a developer would see in the console of the page, and answers dialogs, which would stop it for ever. */
export function reportPageEvents(page: CdpSession, origin: string, report: ReportEvent): void {
  const urls = new Map<string, string>();

  page.on('Runtime.consoleAPICalled', ({ type, args }) => {
    const level = consoleLevels[type];
    if (!level) return;
    const message = args.map((one) => String(one.value ?? one.description ?? one.type)).join(' ');
    report({ level: 'warn', stage: 'page', message, code: `console_${level}` });
  });
  page.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text } }) => {
    const message = exception?.description ?? String(exception?.value ?? text);
    report({ level: 'warn', stage: 'page', message, code: 'page_error' });
  });
  page.on('Page.javascriptDialogOpening', ({ type, message }) => {
    // A page that asks before it is left must not stay because of that.
    const accept = type === 'beforeunload';
    page.send('Page.handleJavaScriptDialog', { accept }).catch(() => undefined);
    report({ level: 'warn', stage: 'page', message: `${type}: ${message}`, code: 'dialog_closed' });
  });
  page.on('Network.requestWillBeSent', ({ requestId, request }) => {
    urls.set(requestId, request.url);
  });
  page.on('Network.responseReceived', ({ requestId, response, type }) => {
    urls.delete(requestId);
    if (response.status < 400 || type === 'Document') return;
    const message = `${publicUrl(response.url, origin)} answered ${response.status}`;
    report({ level: 'warn', stage: 'page', message, code: 'request_failed' });
  });
  page.on('Network.loadingFailed', ({ requestId, errorText, canceled, blockedReason }) => {
    const url = urls.get(requestId);
    urls.delete(requestId);
    if (canceled || url === undefined) return;
    const message = `${publicUrl(url, origin)} failed: ${blockedReason ?? errorText}`;
    report({ level: 'warn', stage: 'page', message, code: 'request_failed' });
  });
}

/** Path alone inside the document, without query outside it: queries hold tokens. */
function publicUrl(text: string, origin: string): string {
  const url = URL.parse(text);
  if (!url) return 'a request';
  if (url.origin === origin) return url.pathname;
  return url.protocol === 'data:' ? 'data:' : `${url.origin}${url.pathname}`;
}
