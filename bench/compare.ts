import { setTimeout as sleep } from 'node:timers/promises';
import { meterCpu, type Root } from './cpu-meter.ts';
import type { Example } from './example.ts';
import { jobsPerSecond, type Measurement, type MeteredMeasurement } from './measurement.ts';
import type { RawLoop } from './raw-loop.ts';
import { createTenant, runOneAtATime, runQueued, type Tenant } from './service-loop.ts';
import type { Stack } from './stack.ts';
import { median, type Spread, spread } from './statistics.ts';

/** The ways in which a document is printed; each round has one measurement of each. */
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
  /** Pages printed at once by the raw loop at its best. */
  readonly rawConcurrency: number;
  readonly rounds: readonly Round[];
  /** jobs/s as a share of the raw loop's at its best, of each round. */
  readonly queuedShare: Spread;
  readonly tenantsShare: Spread;
  /** p50 of one job at a time, beyond the raw loop's, of each round. */
  readonly addedMs: Spread;
  /** The same by the service's own clock: without the client's polling. */
  readonly addedTurnaroundMs: Spread;
}

interface CompareOptions {
  readonly rounds: number;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

const tenantCount = 10;
/** More pages at once than the cores have room for are no faster. */
const rawConcurrencies = [1, 2, 3];
/** What the last way left behind (a workflow's end, its visibility record) is done by then. */
const quietMs = 500;
/** One at a time takes longer, and its median needs fewer. */
const aloneShare = 0.5;
/** Fills the caches of both sides: code, pack, browsers of the slots. */
const warmUpJobs = 8;

/** Measures all ways in turn, several times: what else the machine does meets them all. */
export async function compare(
  stack: Stack,
  raw: RawLoop,
  example: Example,
  { rounds: count, jobs, signal, say }: CompareOptions,
): Promise<Comparison> {
  const tenants: Tenant[] = [];
  for (let made = 0; made < tenantCount; made++)
    tenants.push(await createTenant(await stack.createWorkspace(), example));
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
    say(`${example.name}, round ${number} of ${count}: ${describeRound(round as Round)}`);
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

/** Measures one way, with the CPU time of the processes. */
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
