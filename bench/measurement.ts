import type { CpuByPart } from './cpu-meter.ts';

/** The times of one way to print in one round. */
export interface Measurement {
  readonly jobs: number;
  /** The time from the first request to the last PDF. */
  readonly elapsedMs: number;
  /** The time of each job: as its caller measured it, or for queued jobs the time that a worker needed. */
  readonly latenciesMs: readonly number[];
  /** The time of each job as the service measured it: finishedAt − requestedAt. */
  readonly turnaroundsMs?: readonly number[];
}

export interface MeteredMeasurement extends Measurement {
  readonly cpu: CpuByPart | undefined;
}

export const jobsPerSecond = ({ jobs, elapsedMs }: Measurement): number =>
  (jobs / elapsedMs) * 1_000;
