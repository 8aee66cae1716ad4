import type { Readable } from 'node:stream';
import type { PrintOptions } from '../contracts/print-options.ts';
import { hostAndPort } from '../network/egress-policy.ts';
import { hostOf, portOf } from '../network/url-target.ts';
import { CdpError } from './cdp-connection.ts';
import { evaluate } from './evaluate.ts';
import { type Page, usualMedia } from './open-page.ts';
import { followActivity, type PageActivity } from './page-activity.ts';
import type { ReportEvent } from './page-events.ts';
import { reportPageEvents } from './page-events.ts';
import { rewriteLinks } from './page-scripts.ts';
import { type PdfFacts, streamPdf } from './pdf-stream.ts';
import { printParameters } from './print-parameters.ts';
import { warnOfLosses } from './print-warnings.ts';
import type { ProxyJob } from './proxy/proxy-job.ts';
import { waitUntilReady } from './readiness.ts';
import { RenderError } from './render-error.ts';
import type { Watchdog } from './watchdog.ts';

export interface PrintStory<T> {
  readonly page: Page;
  /** As the browser names itself: it can be told its language only together with its name. */
  readonly userAgent: string;
  /** Address of the document. */
  readonly url: URL;
  readonly proxyJob: ProxyJob;
  readonly pdf: PrintOptions;
  readonly maxOutputBytes: number;
  readonly watchdog: Watchdog;
  readonly report: ReportEvent;
  /** Notes how long a step took. */
  readonly lap: (step: 'loadMs' | 'readyMs' | 'printMs') => number;
  readonly store: (pdf: Readable) => Promise<T>;
}

export interface Printed<T> {
  readonly facts: PdfFacts;
  /** The caller's storing, which goes on after the last byte has left the browser. */
  readonly storing: Promise<T>;
}

/** One print: open the document, wait until it is ready, print it, hand over its bytes. */
export async function printDocument<T>(story: PrintStory<T>): Promise<Printed<T>> {
  const { page, report, proxyJob, lap } = story;
  const activity = followActivity(page.cdp);
  reportPageEvents(page.cdp, proxyJob.origin.origin, report);

  await emulate(story);
  await openDocument(story, activity);
  story.watchdog.documentLoaded();
  report({ level: 'info', stage: 'load', message: `loaded in ${lap('loadMs')} ms` });

  await waitUntilReady(page.cdp, activity);
  failOnStatus(story, activity);
  if (proxyJob.files) await evaluate(page.cdp, rewriteLinks, { linkBase: story.pdf.linkBase });
  report({ level: 'info', stage: 'ready', message: `ready after ${lap('readyMs')} ms` });

  const handle = await printToStream(story);
  report({ level: 'info', stage: 'print', message: `printed in ${lap('printMs')} ms` });
  return await handOver(story, handle);
}

/** In force before the document's first script runs. Most jobs need nothing of it, and send nothing. */
async function emulate({ page, pdf, userAgent }: PrintStory<unknown>): Promise<void> {
  const { media, locale, timezone } = pdf;
  await Promise.all([
    media !== usualMedia && page.cdp.send('Emulation.setEmulatedMedia', { media }),
    locale && page.cdp.send('Emulation.setLocaleOverride', { locale }),
    locale &&
      page.cdp.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: locale }),
    timezone && page.cdp.send('Emulation.setTimezoneOverride', { timezoneId: timezone }),
  ]);
}

async function openDocument(story: PrintStory<unknown>, activity: PageActivity): Promise<void> {
  const { page, url, proxyJob } = story;
  const { errorText } = await page.cdp.send('Page.navigate', { url: url.href });
  if (errorText) {
    const why = proxyJob.faults.get(hostAndPort(hostOf(url), portOf(url))) ?? `${errorText}.`;
    throw new RenderError('render_failed', `The document could not be opened. ${why}`);
  }
  failOnStatus(story, activity);
  await activity.loaded();
  failOnStatus(story, activity);
}

function failOnStatus(story: PrintStory<unknown>, activity: PageActivity): void {
  const { url, proxyJob } = story;
  const status = activity.documentStatus ?? 0;
  if (status < 400) return;
  const why =
    proxyJob.faults.get(hostAndPort(hostOf(url), portOf(url))) ??
    `Its address answered ${status}: ${proxyJob.files ? 'check the route of the version' : 'check the target URL'}.`;
  throw new RenderError('render_failed', `The document could not be opened. ${why}`);
}

async function printToStream({ page, pdf }: PrintStory<unknown>): Promise<string> {
  try {
    const { stream } = await page.cdp.send('Page.printToPDF', printParameters(pdf));
    return stream ?? '';
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    throw new RenderError('render_failed', `The document could not be printed. ${error.message}`, {
      cause: error,
    });
  }
}

async function handOver<T>(story: PrintStory<T>, handle: string): Promise<Printed<T>> {
  const { page, maxOutputBytes, watchdog, report, store } = story;
  const pdf = streamPdf(page.cdp, handle, maxOutputBytes);
  // Nothing of a job that was given up may be stored.
  const giveUp = (): void => void pdf.stream.destroy(watchdog.bitten.reason);
  watchdog.bitten.addEventListener('abort', giveUp);
  const storing = store(pdf.stream);
  try {
    // A store that fails ends the job at once; one that succeeds has read to the end.
    const facts = await Promise.race([pdf.complete, storing.then(() => pdf.complete)]);
    await warnOfLosses(page.cdp, story.pdf.scale, pdf.contents, report);
    return { facts, storing };
  } catch (error) {
    // When this is heard of, nothing is being stored any more.
    await storing.catch(() => undefined);
    throw error;
  } finally {
    watchdog.bitten.removeEventListener('abort', giveUp);
  }
}
