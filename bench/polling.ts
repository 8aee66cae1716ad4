/**
 * `node dev/bootstrap.mjs run bench/polling.ts`: measures what the polling of clients costs. It creates as many jobs as a busy client
 * has. Their document is never ready, so the jobs that get a slot keep it. The bench measures the service without polling, then, for
 * the same time, with it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client/client.ts';
import { deployFolder } from '../client/deploy-folder.ts';
import { listenForStop } from '../dev/launcher/stop-signals.ts';
import { type CpuByPart, meterCpu, parts, type Root } from './cpu-meter.ts';
import { describeMachine, resultsFolder, table } from './report.ts';
import { startStack } from './stack.ts';
import { percentile } from './statistics.ts';

const jobs = 200;
/** The shortest interval that the API advises (REST 4.3). */
const pollIntervalMs = 2_000;
const measuredMs = 30_000;
/** After this time the work of accepting the jobs is done: the relay, the first tasks of the workflows, the start of the browsers. */
const startUpMs = 10_000;
const parallelPosts = 8;
/** Longer than all phases together, so that no job ends during a measurement. A stopping worker would wait as long, so the stack kills it. */
const renderTimeoutMs = 100_000;

const waitingPage = `<!doctype html><title>Waiting</title><script>
  window.renderReady = new Promise(() => {});
</script>`;

interface Polls {
  readonly latenciesMs: readonly number[];
  /** How many answers had the job's progress. For such an answer the API queries the workflow, or shares a query. */
  readonly withProgress: number;
}

interface Phase extends Polls {
  readonly elapsedMs: number;
  readonly cpu: CpuByPart | undefined;
}

async function main(): Promise<void> {
  using stop = listenForStop(() => process.exit(130));
  try {
    await run(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    process.exitCode = 130;
  }
}

async function run(signal: AbortSignal): Promise<void> {
  const startedAt = new Date().toISOString();
  console.log('  starting PostgreSQL, Azurite, Temporal, the API and a worker');
  await using stack = await startStack();
  const client = await stack.createWorkspaceClient();
  console.log(`  posting ${jobs} jobs of a document that waits`);
  const jobIds = await postJobs(client, join(stack.folder, 'document'), signal);
  await sleep(startUpMs, undefined, { signal });
  const statuses = await countStatuses(client, jobIds);
  console.log(`  measuring ${measuredMs / 1_000} s without polling, then as long with it`);
  const quiet = await measure(stack.roots, () => waitWithoutPolling(signal));
  const polled = await measure(stack.roots, () => pollAll(client, jobIds, signal));
  console.log(`\n${describe({ quiet, polled, statuses })}\n`);
  const file = await writeResults({ startedAt, statuses, quiet, polled });
  console.log(`  all figures: ${relative(process.cwd(), file)}`);
}

async function postJobs(client: Client, folder: string, signal: AbortSignal): Promise<string[]> {
  await mkdir(folder);
  await writeFile(join(folder, 'index.html'), waitingPage);
  const { deployId } = await deployFolder(client, {
    folder,
    deploy: { createDeploy: { slug: 'waiting', name: 'Waiting' } },
    render: { route: 'index.html', title: 'Waiting', renderTimeoutMs },
  });
  const jobIds: string[] = [];
  let begun = 0;
  const post = async (): Promise<void> => {
    while (begun++ < jobs) {
      signal.throwIfAborted();
      jobIds.push((await client.createRenderJob({ body: { deployId } })).job.id);
    }
  };
  await Promise.all(Array.from({ length: parallelPosts }, post));
  return jobIds;
}

/** Counts the jobs by status. Throws if one has ended, because only the polling of open jobs is measured. */
async function countStatuses(
  client: Client,
  jobIds: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const jobId of jobIds) {
    const { job } = await client.getRenderJob({ params: { jobId } });
    if (job.finishedAt !== undefined) throw new Error(`${jobId} has ended as ${job.status}.`);
    counts[job.status] = (counts[job.status] ?? 0) + 1;
  }
  return counts;
}

async function measure(roots: readonly Root[], work: () => Promise<Polls>): Promise<Phase> {
  const begin = performance.now();
  const { result, cpu } = await meterCpu(roots, work);
  return { ...result, elapsedMs: performance.now() - begin, cpu };
}

async function waitWithoutPolling(signal: AbortSignal): Promise<Polls> {
  await sleep(measuredMs, undefined, { signal });
  return { latenciesMs: [], withProgress: 0 };
}

/** Polls each job by a poller of its own, as its client would. The pollers start spread over the interval. */
async function pollAll(
  client: Client,
  jobIds: readonly string[],
  signal: AbortSignal,
): Promise<Polls> {
  const begin = performance.now();
  const latenciesMs: number[] = [];
  let withProgress = 0;
  const pollJob = async (jobId: string, index: number): Promise<void> => {
    const firstMs = (index / jobIds.length) * pollIntervalMs;
    for (let dueMs = firstMs; dueMs < measuredMs; dueMs += pollIntervalMs) {
      await sleep(Math.max(0, begin + dueMs - performance.now()), undefined, { signal });
      const asked = performance.now();
      const { progress } = await client.getRenderJob({ params: { jobId } });
      latenciesMs.push(performance.now() - asked);
      if (progress) withProgress++;
    }
  };
  await Promise.all(jobIds.map(pollJob));
  return { latenciesMs, withProgress };
}

/** The CPU time of a part as a share of one core, in percent. */
const shareOf = ({ cpu, elapsedMs }: Phase, part: keyof CpuByPart): number =>
  ((cpu?.[part] ?? Number.NaN) / elapsedMs) * 100;

function describe({ statuses, quiet, polled }: Figures): string {
  const { latenciesMs, withProgress, elapsedMs } = polled;
  const rows = parts.map((part) => {
    const [before, during] = [shareOf(quiet, part), shareOf(polled, part)];
    const perPollMs = ((during - before) / 100) * (elapsedMs / latenciesMs.length);
    return [
      part,
      ...[before, during, during - before].map((n) => n.toFixed(1)),
      perPollMs.toFixed(2),
    ];
  });
  const states = Object.entries(statuses).map(([status, count]) => `${count} ${status}`);
  return [
    `${jobs} open jobs (${states.join(', ')}), each polled every ${pollIntervalMs} ms for ${measuredMs / 1_000} s`,
    '',
    `GET /render-jobs/{jobId}: ${latenciesMs.length} polls, p50 ${percentile(latenciesMs, 0.5).toFixed(1)} ms, p99 ${percentile(latenciesMs, 0.99).toFixed(1)} ms`,
    `${withProgress} of them had the progress`,
    '',
    ...table([['% of one core', 'alone', 'polled', 'by polling', 'ms per poll'], ...rows]),
  ].join('\n');
}

interface Figures {
  /** The number of jobs by status, before the first phase. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly quiet: Phase;
  readonly polled: Phase;
}

async function writeResults(figures: Figures & { startedAt: string }): Promise<string> {
  const file = join(resultsFolder, 'polling.json');
  await mkdir(resultsFolder, { recursive: true });
  await writeFile(file, `${JSON.stringify({ ...describeMachine(), ...figures }, null, 2)}\n`);
  return file;
}

await main();
