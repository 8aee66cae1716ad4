import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type Comparison, type Way, ways } from './compare.ts';
import { parts } from './cpu-meter.ts';
import { jobsPerSecond, type MeteredMeasurement } from './measurement.ts';
import { median, percentile, type Spread } from './statistics.ts';

export const resultsFolder = join(import.meta.dirname, 'results');

/** The figures that we promise now, and those that we want to reach later. */
const targets = [
  {
    name: 'queued, jobs/s as a share of the raw loop',
    of: ({ queuedShare }: Comparison) => queuedShare,
    isMet: (value: number, bound: number) => value >= bound,
    bounds: { now: 0.6, later: 0.8 },
    digits: 2,
  },
  {
    name: 'one at a time, p50 beyond the raw loop (ms)',
    of: ({ addedMs }: Comparison) => addedMs,
    isMet: (value: number, bound: number) => value <= bound,
    bounds: { now: 80, later: 50 },
    digits: 0,
  },
] as const;

/** Formats the tables of one document as text. */
export function describe(comparison: Comparison): string {
  const { document, rawConcurrency, rounds } = comparison;
  const header = ['', 'p50 ms', 'p99 ms', 'turnaround p50', 'jobs/s'];
  const cpuHeader = ['CPU ms per job', ...parts, 'all'];
  const names = Object.keys(ways) as Way[];
  const rows = names.map((way) => [ways[way], ...timeCells(rounds.map((round) => round[way]))]);
  const cpuRows = names.map((way) => [ways[way], ...cpuCells(rounds.map((round) => round[way]))]);
  return [
    `${document}: ${rounds.length} rounds, the raw loop at its best prints ${rawConcurrency} at once`,
    '',
    ...table([header, ...rows]),
    '',
    ...table([cpuHeader, ...cpuRows]),
    '',
    ...describeTargets(comparison),
    '',
    'For queued jobs, p50 and p99 are the time that a worker needed. Turnaround is finishedAt − requestedAt.',
  ].join('\n');
}

function timeCells(measurements: readonly MeteredMeasurement[]): string[] {
  const latencies = measurements.flatMap(({ latenciesMs }) => latenciesMs);
  const turnarounds = measurements.flatMap(({ turnaroundsMs = [] }) => turnaroundsMs);
  return [
    percentile(latencies, 0.5).toFixed(0),
    percentile(latencies, 0.99).toFixed(0),
    turnarounds.length > 0 ? median(turnarounds).toFixed(0) : '',
    median(measurements.map(jobsPerSecond)).toFixed(2),
  ];
}

/** Formats the CPU time of each part, as the median over the rounds. */
function cpuCells(measurements: readonly MeteredMeasurement[]): string[] {
  const perJob = measurements.flatMap(({ cpu, jobs }) =>
    cpu ? [parts.map((part) => cpu[part] / jobs)] : [],
  );
  if (perJob.length === 0) return [...parts.map(() => 'n/a'), 'n/a'];
  const all = perJob.map((values) => values.reduce((sum, value) => sum + value, 0));
  const ofParts = parts.map((_, index) => median(perJob.map((values) => values[index] ?? 0)));
  return [...ofParts, median(all)].map((value) => value.toFixed(1));
}

function describeTargets(comparison: Comparison): string[] {
  const lines = targets.map(({ name, of, isMet, bounds, digits }) => {
    const value = of(comparison);
    const verdicts = Object.entries(bounds).map(
      ([when, bound]) => `${when} ${bound}: ${isMet(value.median, bound) ? 'met' : 'NOT met'}`,
    );
    return `${name}: ${describeSpread(value, digits)}; ${verdicts.join(', ')}`;
  });
  return [
    ...lines,
    `queued, 10 workspaces, share of the raw loop: ${describeSpread(comparison.tenantsShare, 2)}`,
    `one at a time, turnaround p50 beyond the raw loop (ms): ${describeSpread(comparison.addedTurnaroundMs, 0)}`,
  ];
}

/** Formats the median, the smallest and the largest value. */
export const describeSpread = ({ median: middle, min, max }: Spread, digits: number): string =>
  `${middle.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;

/** Formats rows as a table: the first column is aligned to the left, the others to the right. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd());
}

/** Writes all measurements and a description of the machine to a file, and returns its path. */
export async function writeResults(
  comparisons: readonly Comparison[],
  { chromiumVersion, startedAt }: { chromiumVersion: string; startedAt: number },
): Promise<string> {
  const file = join(resultsFolder, 'latest.json');
  const machine = {
    startedAt: new Date(startedAt).toISOString(),
    chromium: chromiumVersion,
    ...describeMachine(),
  };
  await mkdir(resultsFolder, { recursive: true });
  await writeFile(file, `${JSON.stringify({ ...machine, comparisons }, null, 2)}\n`);
  return file;
}

/** Describes the machine: figures can only be compared on the same one. */
export const describeMachine = () => ({
  node: process.version,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  platform: `${process.platform} ${process.arch}`,
});
