import type { CpuByPart } from './cpu-meter.ts';

/** What one way of printing took in one round. */
export interface Measurement {
  readonly jobs: number;
  /** From the first request to the last PDF. */
  readonly elapsedMs: number;
  /** Of each job, as its caller saw it; of queued jobs, how long a worker was at it. */
  readonly latenciesMs: readonly number[];
  /** Of each job, as the service saw it: finishedAt − requestedAt. */
  readonly turnaroundsMs?: readonly number[];
}

export interface MeteredMeasurement extends Measurement {
  readonly cpu: CpuByPart | undefined;
}

export const jobsPerSecond = ({ jobs, elapsedMs }: Measurement): number =>
  (jobs / elapsedMs) * 1_000;
