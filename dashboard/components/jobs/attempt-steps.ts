import type { JobAttempt } from '../../../contracts/admin/jobs.ts';

/** What an attempt did, one after another, from the moment that it was queued. */
export type StepName =
  | 'waiting'
  | 'starting'
  | 'loading'
  | 'ready'
  | 'printing'
  | 'storing'
  | 'active'
  | 'rest';

export const stepLabels: Readonly<Record<StepName, string>> = {
  waiting: 'Waiting',
  starting: 'Getting a browser',
  loading: 'Loading',
  ready: 'Getting ready',
  printing: 'Printing',
  storing: 'Storing',
  active: 'Under way',
  rest: 'Until it ended',
};

export interface Step {
  readonly name: StepName;
  /** Unix ms. */
  readonly from: number;
  readonly durationMs: number;
}

/**
 * The steps of an attempt until now. What is not measured by itself lies before the first step of an attempt that
 * succeeded (a browser was got), and after the last step of one that did not. Of one that runs its worker has told nothing yet.
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
  return inTurn(queuedAt, [
    { name: 'waiting', durationMs: claimedAt - queuedAt },
    ...(succeeded ? [{ name: 'starting' as const, durationMs: restMs }] : []),
    ...measured,
    ...(succeeded
      ? []
      : [{ name: isRunning ? ('active' as const) : ('rest' as const), durationMs: restMs }]),
  ]);
}

function inTurn(start: number, steps: readonly Omit<Step, 'from'>[]): Step[] {
  let from = start;
  return steps.map((step) => {
    const placed = { ...step, from };
    from += step.durationMs;
    return placed;
  });
}
