import type { RenderTimings } from './render-error.ts';

type Step = keyof RenderTimings;

export interface Stopwatch {
  readonly timings: RenderTimings;
  /** Notes a step that began when the last one ended; returns its milliseconds. */
  lap(step: Step): number;
  /** Notes everything since that lap ended. */
  since(lap: Step, step: Step): void;
}

export function createStopwatch(): Stopwatch {
  const timings: Partial<Record<Step, number>> = {};
  const ends = new Map<Step, number>();
  let last = performance.now();
  return {
    timings,
    lap(step) {
      const now = performance.now();
      const elapsed = Math.round(now - last);
      timings[step] = elapsed;
      ends.set(step, now);
      last = now;
      return elapsed;
    },
    since(lap, step) {
      timings[step] = Math.round(performance.now() - (ends.get(lap) ?? last));
    },
  };
}
