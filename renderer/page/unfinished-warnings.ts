import type { PrintSettings } from '../../contracts/processes/print-settings.ts';
import { publicUrl, secondsSince } from './message-parts.ts';
import type { PageActivity, PendingRequest } from './page-activity.ts';
import type { Warn } from './page-events.ts';
import type { Readiness } from './readiness.ts';

/** At most this many unfinished requests of a page get a warning of their own. One more warning counts the rest. */
const maxNamed = 5;

export interface UnfinishedWorkOptions {
  readonly activity: PageActivity;
  /** Addresses of failed requests that are not reported (again). */
  readonly failedUrls: ReadonlySet<string>;
  readonly pdf: PrintSettings;
  /** Origin of the document: addresses inside it are named without it. */
  readonly origin: string;
  readonly warn: Warn;
}

/** Warns of broken images, of requests that were not waited for any longer, and of a page that never became idle. */
export function warnOfUnfinishedWork(
  { idle, unfinished, broken }: Readiness,
  { activity, failedUrls, pdf, origin, warn }: UnfinishedWorkOptions,
): void {
  for (const image of broken.images)
    if (!failedUrls.has(image))
      warn('image_broken', `${publicUrl(image, origin)} is not a valid image, so it is not shown.`);
  warnOfUnfinishedRequests(unfinished, origin, warn);
  if (idle || unfinished.length > 0) return;
  const reason = activity.document?.isLoaded
    ? 'Scripts or animations were still running'
    : 'The load event had not fired';
  warn(
    'never_idle',
    `${reason} ${pdf.maxWaitMs} ms after the HTML was read, so the document was printed as it was then. Define window.renderReady, or set waitFor or maxWaitMs.`,
  );
}

/** Warns of requests that had not finished when the document was printed. */
export function warnOfUnfinishedRequests(
  requests: readonly PendingRequest[],
  origin: string,
  warn: Warn,
): void {
  for (const { url, startedAt } of requests.slice(0, maxNamed))
    warn(
      'request_unfinished',
      `${publicUrl(url, origin)} had not finished after ${secondsSince(startedAt)}, so the document was printed without waiting for it any longer.`,
    );
  if (requests.length > maxNamed)
    warn('request_unfinished', `${requests.length - maxNamed} more requests had not finished.`);
}
