// `npm run bench -- --engines` measures the engines of the renderer, without the rest of the service. The renderer with each engine
// and a plain Playwright loop take turns to print the same documents with the same Chromium.
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pino } from 'pino';
import {
  currentPrintGeneration,
  resolvePrintSettings,
} from '../contracts/processes/print-settings.ts';
import { MiB, minuteMs } from '../contracts/units.ts';
import { type EngineName, engineNames } from '../renderer/browser/load-engine.ts';
import { createRenderer, type PrintRequest } from '../renderer/renderer.ts';
import { measure } from './compare.ts';
import type { CpuByPart } from './cpu-meter.ts';
import { type Example, readExample } from './example.ts';
import { jobsPerSecond, type Measurement, type MeteredMeasurement } from './measurement.ts';
import type { BenchOptions } from './options.ts';
import { type RawLoop, startRawLoop } from './raw-loop.ts';
import { describeMachine, describeSpread, resultsFolder, table } from './report.ts';
import { median, percentile, type Spread, spread } from './statistics.ts';

/** Documents printed at once, each in a browser of its own: as many as two cores can print. */
const slots = 2;
const warmUpJobs = 6;
/** Share of the jobs that are printed one at a time: this takes longer, and its median needs fewer jobs. */
const aloneShare = 0.5;

/** Prints a document `jobs` times, `concurrency` at once. */
type Printer = Pick<RawLoop, 'run'>;
/** The measurements of each way, one for each round. */
type Rounds = Record<string, MeteredMeasurement[]>;

/** Prints each document with each engine and the plain loop, in turns. Shows tables, and writes all figures to a file. */
export async function compareEngines(
  { documents, rounds: count, jobsOf }: BenchOptions,
  executablePath: string,
  signal: AbortSignal,
): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'bench-engines-'));
  // If this process is root, Chromium runs as another user, which must reach its folder in here.
  await chmod(folder, 0o711);
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const startedAt = new Date().toISOString();
  const results: Record<string, Rounds> = {};
  for (const name of documents) {
    const example = await readExample(name);
    await using started = new AsyncDisposableStack();
    const printers: Record<string, Printer> = {};
    for (const engine of engineNames)
      printers[engine] = started.use(
        await startEngine(engine, example, { executablePath, folder: join(folder, engine) }),
      );
    const raw = { executablePath, folder: join(folder, `raw-${name}`) };
    printers['raw loop'] = started.use(await startRawLoop(example, raw));
    results[name] = await measureInTurns(printers, { count, jobs: jobsOf[name], signal });
    console.log(`\n${name}: ${count} rounds\n\n${describeRounds(results[name])}\n`);
  }
  await mkdir(resultsFolder, { recursive: true });
  const file = join(resultsFolder, 'engines.json');
  await writeFile(
    file,
    `${JSON.stringify({ startedAt, ...describeMachine(), results }, null, 2)}\n`,
  );
  console.log(`  all figures: ${relative(process.cwd(), file)}`);
}

async function startEngine(
  engine: EngineName,
  example: Example,
  { executablePath, folder }: { executablePath: string; folder: string },
): Promise<Printer & AsyncDisposable> {
  const renderer = await createRenderer({
    engine,
    executablePath,
    slots,
    browsers: slots,
    workFolder: join(folder, 'browsers'),
    egressAllow: [],
    allowNoSandbox: false,
    memoryLimitBytes: 1_024 * MiB,
    log: pino({ level: 'warn' }),
  });
  let printed = 0;
  const print = async (signal: AbortSignal): Promise<number> => {
    const begin = performance.now();
    const number = ++printed;
    const file = join(folder, `${number}.pdf`);
    await renderer.print(createRequest(example, number, signal), (pdf) => writeFile(file, pdf));
    return performance.now() - begin;
  };
  return {
    async run({ jobs, concurrency, signal }): Promise<Measurement> {
      const latenciesMs: number[] = [];
      let started = 0;
      const loop = async (): Promise<void> => {
        while (started++ < jobs) latenciesMs.push(await print(signal));
      };
      const begin = performance.now();
      await Promise.all(Array.from({ length: concurrency }, loop));
      return { jobs, elapsedMs: performance.now() - begin, latenciesMs };
    },
    [Symbol.asyncDispose]: () => renderer[Symbol.asyncDispose](),
  };
}

function createRequest(example: Example, number: number, signal: AbortSignal): PrintRequest {
  const { files, render, payload } = example;
  return {
    jobId: `job_${number}`,
    workspaceId: 'ws_bench',
    document: {
      type: 'package',
      route: render.route ?? 'index.html',
      files: {
        has: (path) => files.has(`/${path}`),
        read: async (path) => files.get(`/${path}`),
      },
    },
    payload: { mime: 'application/json', bytes: Buffer.from(JSON.stringify(payload)) },
    pdf: resolvePrintSettings(example.pdf, currentPrintGeneration),
    limits: { renderTimeoutMs: minuteMs, loadTimeoutMs: minuteMs, maxOutputBytes: 100 * MiB },
    allowExternalNetwork: false,
    signal,
    onEvent: () => undefined,
  };
}

async function measureInTurns(
  printers: Readonly<Record<string, Printer>>,
  { count, jobs, signal }: { count: number; jobs: number; signal: AbortSignal },
): Promise<Rounds> {
  for (const printer of Object.values(printers))
    await printer.run({ jobs: warmUpJobs, concurrency: slots, signal });
  const ways = Object.entries(printers).flatMap(([name, printer]) => [
    {
      way: `${name}, one at a time`,
      run: () => printer.run({ jobs: Math.ceil(jobs * aloneShare), concurrency: 1, signal }),
    },
    {
      way: `${name}, ${slots} at once`,
      run: () => printer.run({ jobs, concurrency: slots, signal }),
    },
  ]);
  const root = { pid: process.pid, self: 'worker', children: 'chromium' } as const;
  const rounds: Rounds = Object.fromEntries(ways.map(({ way }) => [way, []]));
  for (let number = 1; number <= count; number++)
    for (const { way, run } of number % 2 === 1 ? ways : ways.toReversed()) {
      signal.throwIfAborted();
      rounds[way]?.push(await measure([root], run));
    }
  return rounds;
}

const measuredParts = ['worker', 'chromium'] as const satisfies (keyof CpuByPart)[];

function describeRounds(rounds: Rounds): string {
  const header = ['', 'p50 ms', 'p99 ms', 'jobs/s', 'relative to pipe'];
  const cpuHeader = ['CPU ms per job: node', 'chromium', 'relative to pipe'];
  const rows = Object.entries(rounds).map(([way, measured]) => {
    const latencies = measured.flatMap(({ latenciesMs }) => latenciesMs);
    const relativeToPipe = (value: (one: MeteredMeasurement) => number): string =>
      describeSpread(ratios(measured, rounds[way.replace(/^[^,]+/, 'pipe')] ?? [], value), 2);
    const cpu = measuredParts.map((part) =>
      median(measured.map(({ cpu, jobs }) => (cpu?.[part] ?? Number.NaN) / jobs)),
    );
    return [
      way,
      percentile(latencies, 0.5).toFixed(0),
      percentile(latencies, 0.99).toFixed(0),
      median(measured.map(jobsPerSecond)).toFixed(2),
      relativeToPipe(jobsPerSecond),
      ...cpu.map((ms) => ms.toFixed(1)),
      relativeToPipe(cpuPerJob),
    ];
  });
  return table([[...header, ...cpuHeader], ...rows]).join('\n');
}

const cpuPerJob = ({ cpu, jobs }: MeteredMeasurement): number =>
  measuredParts.reduce((sum, part) => sum + (cpu?.[part] ?? Number.NaN), 0) / jobs;

/** Compares values within each round, because other load of the machine then affected both. */
const ratios = (
  measured: readonly MeteredMeasurement[],
  base: readonly MeteredMeasurement[],
  value: (one: MeteredMeasurement) => number,
): Spread =>
  spread(
    measured.flatMap((one, index) => {
      const other = base[index];
      return other ? [value(one) / value(other)] : [];
    }),
  );
