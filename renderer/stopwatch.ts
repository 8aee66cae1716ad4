import type { RenderTimings } from './render-error.ts';

type Step = keyof RenderTimings;

export interface Stopwatch {
  readonly timings: RenderTimings;
  /** Notes the time since the end of the last lap as the time of this step, and returns its milliseconds. */
  lap(step: Step): number;
  /** Notes the time since the end of that lap as the time of this step. */
  since(lap: Step, step: Step): void;
}

export function createStopwatch(): Stopwatch {
  const timings: Partial<Record<Step, number>> = {};
  const lapEnds = new Map<Step, number>();
  let lastEnd = performance.now();
  return {
    timings,
    lap(step) {
      const now = performance.now();
      const elapsedMs = Math.round(now - lastEnd);
      timings[step] = elapsedMs;
      lapEnds.set(step, now);
      lastEnd = now;
      return elapsedMs;
    },
    since(lap, step) {
      timings[step] = Math.round(performance.now() - (lapEnds.get(lap) ?? lastEnd));
    },
  };
}
