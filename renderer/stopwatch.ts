import type { RenderTimings } from './render-error.ts';

type Step = keyof RenderTimings;

export interface Stopwatch {
  readonly timings: RenderTimings;
  /** Ends a lap: records the time since the previous lap ended as the time of `step`, and returns it in milliseconds. */
  lap(step: Step): number;
  /** Records the time since `lap` ended as the time of `step`. This does not end a lap. */
  recordSince(lap: Step, step: Step): void;
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
    recordSince(lap, step) {
      timings[step] = Math.round(performance.now() - (lapEnds.get(lap) ?? lastEnd));
    },
  };
}
