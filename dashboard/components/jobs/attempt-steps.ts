import type { JobAttempt } from '../../../contracts/admin/jobs.ts';

/** The label and the colour of each step of an attempt, in the order of the table. The first one begins when the attempt is queued. */
export const stepLooks = {
  waiting: { label: 'Waiting', color: 'var(--mantine-color-gray-5)' },
  starting: { label: 'Getting a browser', color: '#8a6bbf' },
  loading: { label: 'Loading', color: '#2f8fb8' },
  ready: { label: 'Getting ready', color: '#c77700' },
  printing: { label: 'Printing', color: '#4a67d8' },
  storing: { label: 'Storing', color: '#1d8a5a' },
  /** The attempt runs, and its worker has not reported any step yet. */
  active: { label: 'In progress', color: 'var(--chart-open)' },
  /** The time after the last measured step of an attempt that did not succeed. */
  rest: { label: 'Until it ended', color: '#d03a2b' },
} as const;
export type StepName = keyof typeof stepLooks;

export interface Step {
  readonly name: StepName;
  /** Unix ms. */
  readonly from: number;
  readonly durationMs: number;
}

/**
 * The steps of an attempt up to `now`. The worker measures only the steps from `loading` to `storing`, and reports them when the
 * attempt ends. The other time is shown as `starting` (getting a browser) before the measured steps of an attempt that succeeded,
 * as `rest` after the measured steps of an attempt that did not succeed, and as `active` while the attempt runs.
 */
export function stepsOf(attempt: JobAttempt, now: number, isRunning: boolean): readonly Step[] {
  const { queuedAt, claimedAt, finishedAt = now, outcome } = attempt;
  const measured = (
    [
      ['loading', attempt.loadMs],
      ['ready', attempt.readyMs],
      ['printing', attempt.printMs],
      ['storing', attempt.storeMs],
    ] as const
  ).flatMap(([name, durationMs]) => (durationMs === undefined ? [] : [{ name, durationMs }]));
  const measuredMs = measured.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const restMs = Math.max(0, finishedAt - claimedAt - measuredMs);
  const succeeded = outcome === 'succeeded';
  return placeInSequence(queuedAt, [
    { name: 'waiting', durationMs: claimedAt - queuedAt },
    ...(succeeded ? [{ name: 'starting' as const, durationMs: restMs }] : []),
    ...measured,
    ...(succeeded
      ? []
      : [{ name: isRunning ? ('active' as const) : ('rest' as const), durationMs: restMs }]),
  ]);
}

function placeInSequence(start: number, steps: readonly Omit<Step, 'from'>[]): Step[] {
  let from = start;
  return steps.map((step) => {
    const placed = { ...step, from };
    from += step.durationMs;
    return placed;
  });
}
