import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client/client.ts';
import { deployFolder } from '../client/deploy-folder.ts';
import { waitForRenderJob } from '../client/render-document.ts';
import type { RenderJobAnswer } from '../contracts/rest/schemas/render-jobs.ts';
import type { Example } from './example.ts';
import type { Measurement } from './measurement.ts';

/** A workspace that has deployed the document. */
export interface Tenant {
  readonly client: Client;
  readonly deployId: string;
}

/** On average, half of this time is added to the time that the caller waits. */
const pollMs = 10;
/**
 * Polling starts after this share of the shortest turnaround so far, so that no end is noticed late. A poll costs both sides together
 * 3 ms of CPU on the cores that print. A poll of a job that still waits also queries its workflow, for 6 to 10 ms more.
 */
const firstPollShare = 0.75;
/** The interval for the oldest job that has not ended. Most other jobs are polled once, when they have ended. */
const queuePollMs = 500;
/** The number of concurrent requests that create jobs: enough to keep the API busy. */
const parallelPosts = 8;

/** Deploys the example in the workspace of the client. */
export async function createTenant(client: Client, example: Example): Promise<Tenant> {
  const { folder, slug, render } = example;
  const deploy = { createDeploy: { slug, name: slug } };
  const { deployId } = await deployFolder(client, { folder, deploy, render });
  return { client, deployId };
}

/** Runs one job at a time: creates it, then polls it until it has succeeded. */
export async function runOneAtATime(
  { client, deployId }: Tenant,
  { payload }: Example,
  { jobs, signal }: { jobs: number; signal: AbortSignal },
): Promise<Measurement> {
  const latenciesMs: number[] = [];
  const turnaroundsMs: number[] = [];
  const begin = performance.now();
  for (let made = 0; made < jobs; made++) {
    signal.throwIfAborted();
    const created = performance.now();
    const { job } = await client.createRenderJob({ body: { deployId, payload } });
    await sleep(turnaroundsMs.length > 0 ? firstPollShare * Math.min(...turnaroundsMs) : 0);
    const ended = requireSuccess(await waitForRenderJob(client, job.id, pollMs));
    latenciesMs.push(performance.now() - created);
    turnaroundsMs.push(ended.turnaroundMs);
  }
  return { jobs, elapsedMs: performance.now() - begin, latenciesMs, turnaroundsMs };
}

/** Creates all jobs as fast as the API accepts them, for the tenants in turn. Then polls each until it has succeeded. */
export async function runQueued(
  tenants: readonly Tenant[],
  { payload }: Example,
  { jobs, signal }: { jobs: number; signal: AbortSignal },
): Promise<Measurement> {
  const begin = Date.now();
  const waiting: { client: Client; jobId: string }[] = [];
  let begun = 0;
  const post = async (): Promise<void> => {
    for (let index = begun++; index < jobs; index = begun++) {
      signal.throwIfAborted();
      const { client, deployId } = tenants[index % tenants.length] as Tenant;
      const { job } = await client.createRenderJob({ body: { deployId, payload } });
      waiting.push({ client, jobId: job.id });
    }
  };
  await Promise.all(Array.from({ length: parallelPosts }, post));
  const ended = [];
  for (const { client, jobId } of waiting) {
    signal.throwIfAborted();
    ended.push(requireSuccess(await waitForRenderJob(client, jobId, queuePollMs)));
    // Lets the handler of Ctrl-C run: the answers of ended jobs arrive one directly after another.
    await sleep(0);
  }
  return {
    jobs,
    elapsedMs: Math.max(...ended.map(({ finishedAt }) => finishedAt)) - begin,
    latenciesMs: ended.map(({ activeRunMs }) => activeRunMs),
    turnaroundsMs: ended.map(({ turnaroundMs }) => turnaroundMs),
  };
}

/** @throws Error if the job has not succeeded */
function requireSuccess({ job, attemptUsage }: RenderJobAnswer) {
  if (job.status !== 'succeeded' || job.finishedAt === undefined || !attemptUsage)
    throw new Error(`A job ended as ${job.status}: ${job.errorCode} ${job.errorMessage}`);
  return { ...attemptUsage, finishedAt: job.finishedAt };
}
