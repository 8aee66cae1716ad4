/**
 * `npm run bench`: compares the speed of the service with that of a plain Playwright loop. Both print the same documents with the same
 * Chromium, in turns, so that other load of the machine affects both. With `--engines` it compares the engines of the renderer
 * instead (bench/engines.ts).
 */
import { join, relative } from 'node:path';
import { listenForStop } from '../dev/launcher/stop-signals.ts';
import { type Comparison, compare } from './compare.ts';
import { compareEngines } from './engines.ts';
import { readExample } from './example.ts';
import { type BenchOptions, readOptions } from './options.ts';
import { startRawLoop } from './raw-loop.ts';
import { describe, writeResults } from './report.ts';
import { startStack } from './stack.ts';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const executablePath = process.env.CHROMIUM_PATH;
  if (!executablePath) throw new Error('CHROMIUM_PATH is not set: start by `npm run bench`.');
  // A second request to stop ends the process at once.
  using stop = listenForStop(() => process.exit(130));
  try {
    const runBench = options.engines ? compareEngines : run;
    await runBench(options, executablePath, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    process.exitCode = 130;
  }
}

async function run(
  options: BenchOptions,
  executablePath: string,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = Date.now();
  const comparisons: Comparison[] = [];
  console.log('  starting PostgreSQL, Azurite, Temporal, the API and a worker');
  await using stack = await startStack();
  let chromiumVersion = '';
  for (const name of options.documents) {
    signal.throwIfAborted();
    const example = await readExample(name);
    const folder = join(stack.folder, `raw-${name}`);
    await using raw = await startRawLoop(example, { executablePath, folder });
    chromiumVersion = raw.chromiumVersion;
    const jobs = options.jobsOf[name];
    const log = (line: string) => console.log(`  ${line}`);
    const comparison = await compare(stack, raw, example, { ...options, jobs, signal, log });
    comparisons.push(comparison);
    console.log(`\n${describe(comparison)}\n`);
  }
  const file = await writeResults(comparisons, { chromiumVersion, startedAt });
  console.log(`  all figures: ${relative(process.cwd(), file)}`);
}

await main();
