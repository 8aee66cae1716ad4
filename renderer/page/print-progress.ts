import { listFirst, publicUrl, secondsSince } from './message-parts.ts';
import type { PageActivity } from './page-activity.ts';
import type { WaitCondition } from './readiness.ts';

/** The step that a print is in, and the activity of its page once that is tracked. */
export interface PrintProgress {
  step: 'open' | WaitCondition | 'print';
  activity?: PageActivity;
}

/** Why a print has not passed a step, as the message of a time limit says it. */
const reasons: Readonly<Record<PrintProgress['step'], string>> = {
  open: 'its address did not answer',
  html: 'its HTML was not read to the end, because one of its scripts or stylesheets took too long',
  load: 'its load event did not fire',
  renderReady: 'window.renderReady was never settled, or never defined',
  idle: 'its scripts were still running',
  requests: 'its requests did not finish',
  print: 'Chromium was still printing it, or a beforeprint handler was still running',
};
/** A document commonly navigates once or twice. More navigations than this are a loop. */
const maxNavigations = 5;
/** At most this many requests are named in one message. */
const maxNamed = 3;

/** Says why a print has not passed its step, and names the requests that have not finished. */
export function describeProgress({ step, activity }: PrintProgress, origin: string): string {
  const { pending, navigations } = activity ?? { pending: [], navigations: 0 };
  if (navigations > maxNavigations)
    return `it navigated to another document ${navigations} times, and did not stop`;
  if (step === 'print' || pending.length === 0) return reasons[step];
  const oldestFirst = pending.toSorted((a, b) => a.startedAt - b.startedAt);
  const ages = oldestFirst.map(
    ({ url, startedAt }) => `${publicUrl(url, origin)} (for ${secondsSince(startedAt)})`,
  );
  return `${reasons[step]}. Waiting for: ${listFirst(ages, maxNamed)}`;
}
