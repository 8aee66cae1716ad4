import { setTimeout as sleep } from 'node:timers/promises';
import { meterCpu, type Root } from './cpu-meter.ts';
import type { Example } from './example.ts';
import { jobsPerSecond, type Measurement, type MeteredMeasurement } from './measurement.ts';
import type { RawLoop } from './raw-loop.ts';
import { createTenant, runOneAtATime, runQueued, type Tenant } from './service-loop.ts';
import type { Stack } from './stack.ts';
import { median, type Spread, spread } from './statistics.ts';

/** The ways to print a document. Each round measures each of them once. */
export const ways = {
  rawAlone: 'raw loop, one at a time',
  serviceAlone: 'service, one at a time',
  rawParallel: 'raw loop, at its best',
  serviceQueued: 'service, queued',
  serviceTenants: 'service, queued, 10 workspaces',
} as const;
export type Way = keyof typeof ways;
type Round = Readonly<Record<Way, MeteredMeasurement>>;

export interface Comparison {
  readonly document: string;
  /** How many pages the raw loop prints at once when it is fastest. */
  readonly rawConcurrency: number;
  readonly rounds: readonly Round[];
  /** Jobs per second as a share of the raw loop at its best, over the rounds. */
  readonly queuedShare: Spread;
  /** The same when the jobs are those of ten workspaces. */
  readonly tenantsShare: Spread;
  /** The median time of one job at a time, minus that of the raw loop, over the rounds. */
  readonly addedMs: Spread;
  /** The added time by the clock of the service, without the polling of the client. */
  readonly addedTurnaroundMs: Spread;
}

interface CompareOptions {
  readonly rounds: number;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

const tenantCount = 10;
/** Printing more pages at once than there are cores is not faster. */
const rawConcurrencies = [1, 2, 3];
/** After this time the rest of the last measurement's work (a workflow's end, its visibility record) is done. */
const quietMs = 500;
/** The share of the jobs that are run one at a time: that takes longer, and its median needs fewer jobs. */
const aloneShare = 0.5;
/** Enough jobs to fill the caches of both sides: code, pack, browsers of the slots. */
const warmUpJobs = 8;

/** Measures all ways in turn, several times, so that other load of the machine affects all of them. */
export async function compare(
  stack: Stack,
  raw: RawLoop,
  example: Example,
  { rounds: count, jobs, signal, log }: CompareOptions,
): Promise<Comparison> {
  const tenants: Tenant[] = [];
  for (let made = 0; made < tenantCount; made++)
    tenants.push(await createTenant(await stack.createWorkspaceClient(), example));
  const [tenant] = tenants;
  if (!tenant) throw new Error('There is no tenant.');

  await runQueued([tenant], example, { jobs: warmUpJobs, signal });
  const rawConcurrency = await findBestConcurrency(raw, jobs, signal);
  const aloneJobs = Math.ceil(jobs * aloneShare);
  const runs: Record<Way, () => Promise<Measurement>> = {
    rawAlone: () => raw.run({ jobs: aloneJobs, concurrency: 1, signal }),
    serviceAlone: () => runOneAtATime(tenant, example, { jobs: aloneJobs, signal }),
    rawParallel: () => raw.run({ jobs, concurrency: rawConcurrency, signal }),
    serviceQueued: () => runQueued([tenant], example, { jobs, signal }),
    serviceTenants: () => runQueued(tenants, example, { jobs, signal }),
  };
  const order = Object.keys(runs) as Way[];
  const rounds: Round[] = [];
  for (let number = 1; number <= count; number++) {
    const round: Partial<Record<Way, MeteredMeasurement>> = {};
    for (const way of number % 2 === 1 ? order : order.toReversed())
      round[way] = await measure(stack.roots, runs[way]);
    rounds.push(round as Round);
    log(`${example.name}, round ${number} of ${count}: ${describeRound(round as Round)}`);
  }
  return { document: example.name, rawConcurrency, rounds, ...ratios(rounds) };
}

async function findBestConcurrency(
  raw: RawLoop,
  jobs: number,
  signal: AbortSignal,
): Promise<number> {
  const measured = [];
  for (const concurrency of rawConcurrencies) {
    const result = await raw.run({ jobs: Math.ceil(jobs / 2), concurrency, signal });
    measured.push({ concurrency, speed: jobsPerSecond(result) });
  }
  return measured.reduce((best, one) => (one.speed > best.speed ? one : best)).concurrency;
}

/** Measures one way and the CPU time that it uses in each process. */
export async function measure(
  roots: readonly Root[],
  run: () => Promise<Measurement>,
): Promise<MeteredMeasurement> {
  await sleep(quietMs);
  const { result, cpu } = await meterCpu(roots, async () => {
    const measurement = await run();
    await sleep(quietMs);
    return measurement;
  });
  return { ...result, cpu };
}

const addedMs = ({ serviceAlone, rawAlone }: Round): number =>
  median(serviceAlone.latenciesMs) - median(rawAlone.latenciesMs);
const queuedShare = ({ serviceQueued, rawParallel }: Round): number =>
  jobsPerSecond(serviceQueued) / jobsPerSecond(rawParallel);

const ratios = (rounds: readonly Round[]) => ({
  queuedShare: spread(rounds.map(queuedShare)),
  tenantsShare: spread(
    rounds.map(
      ({ serviceTenants, rawParallel }) =>
        jobsPerSecond(serviceTenants) / jobsPerSecond(rawParallel),
    ),
  ),
  addedMs: spread(rounds.map(addedMs)),
  addedTurnaroundMs: spread(
    rounds.map(
      ({ serviceAlone, rawAlone }) =>
        median(serviceAlone.turnaroundsMs ?? []) - median(rawAlone.latenciesMs),
    ),
  ),
});

const describeRound = (round: Round): string =>
  `${queuedShare(round).toFixed(2)} of the raw jobs/s, + ${Math.round(addedMs(round))} ms`;
