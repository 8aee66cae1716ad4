import { hostAndPort } from '../../network/egress-policy.ts';
import { hostOf, portOf } from '../../network/url-target.ts';
import type { CdpSession } from '../cdp/cdp-connection.ts';
import type { ProxyJob } from '../proxy/proxy-job.ts';
import { RenderError } from '../render-error.ts';
import type { PageActivity } from './page-activity.ts';

/** A document and the job of the proxy that answers its requests. */
export interface DocumentSource {
  /** Address of the document. */
  readonly url: URL;
  readonly proxyJob: ProxyJob;
}

/**
 * Navigates the page to the document, and resolves when the document has answered.
 *
 * @throws RenderError `render_failed` when it does not answer, or answers with an error status
 */
export async function openDocument(
  page: CdpSession,
  activity: PageActivity,
  source: DocumentSource,
): Promise<void> {
  const { errorText } = await page.send('Page.navigate', { url: source.url.href });
  if (errorText) {
    const reason = findConnectionError(source, source.proxyJob.address.current) ?? `${errorText}.`;
    throw openFailed(reason);
  }
  await activity.waitUntil(() => activity.document !== undefined);
  failOnErrorStatus(activity, source);
}

/** @throws RenderError `render_failed` when the document that the page shows now has a status of 400 or more */
export function failOnErrorStatus({ document }: PageActivity, source: DocumentSource): void {
  const status = document?.status ?? 0;
  if (status < 400) return;
  const shownUrl = URL.parse(document?.url ?? '') ?? source.url;
  const advice = source.proxyJob.files ? 'check the route of the version' : 'check the target URL';
  throw openFailed(
    findConnectionError(source, shownUrl) ?? `Its address answered ${status}: ${advice}.`,
  );
}

/**
 * Says why the last connection to the host of an address failed, and that the document redirects to that host if it does. Returns
 * undefined if no connection to the host failed.
 */
function findConnectionError(
  { url, proxyJob }: DocumentSource,
  failedUrl: URL,
): string | undefined {
  const host = hostAndPort(hostOf(failedUrl), portOf(failedUrl));
  const error = proxyJob.connectionErrors.get(host);
  if (!error) return undefined;
  return failedUrl.host === url.host ? error : `It redirects to ${host}. ${error}`;
}

const openFailed = (reason: string): RenderError =>
  new RenderError('render_failed', `The document could not be opened. ${reason}`);
