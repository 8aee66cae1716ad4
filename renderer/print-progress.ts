import { nameSome, publicUrl, secondsSince } from './page/describe-value.ts';
import type { PageActivity } from './page/page-activity.ts';
import type { WaitCondition } from './page/readiness.ts';

/** How far a print has come: a limit that ends it says what was missing. */
export interface PrintProgress {
  step: 'open' | WaitCondition | 'print';
  activity?: PageActivity;
}

const missing: Readonly<Record<PrintProgress['step'], string>> = {
  open: 'its address did not answer',
  html: 'its HTML was not read to the end, because a script or stylesheet of it takes too long',
  load: 'its load event did not fire',
  renderReady: 'window.renderReady was not settled, or never defined',
  idle: 'its scripts did not come to rest',
  requests: 'its requests did not end',
  print: 'Chromium was still printing it, or a beforeprint handler was still running',
};
/** A redirect or two by script are common; more are a loop. */
const maxNavigations = 5;
/** Named in one message. */
const maxNamed = 3;

/** The condition that a print was waiting for, with the requests that were under way. */
export function describeMissing({ step, activity }: PrintProgress, origin: string): string {
  const { pending, navigations } = activity ?? { pending: [], navigations: 0 };
  if (navigations > maxNavigations)
    return `it went on to another document ${navigations} times, and did not stop`;
  if (step === 'print' || pending.length === 0) return missing[step];
  const oldestFirst = pending.toSorted((a, b) => a.beganAt - b.beganAt);
  const ages = oldestFirst.map(
    ({ url, beganAt }) => `${publicUrl(url, origin)} (for ${secondsSince(beganAt)})`,
  );
  return `${missing[step]}. Under way: ${nameSome(ages, maxNamed)}`;
}
