import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type {
  createRenderJobBody,
  RenderJobAnswer,
} from '../contracts/rest/schemas/render-jobs.ts';
import { isTerminal } from '../contracts/states.ts';
import type { Client } from './client.ts';

/** The interval that the contract advises for a single job (REST 8). */
const defaultPollMs = 2_000;

/**
 * Creates a render job and waits until it has ended. It may have failed or been canceled: check `job.status`.
 *
 * @param options `pollMs`: milliseconds between two requests for the job's state.
 *   `idempotencyKey`: a second call with the same key gives the job that the first one created.
 * @throws ApiError for each answer other than success
 */
export async function renderDocument(
  client: Client,
  body: z.input<typeof createRenderJobBody>,
  { pollMs = defaultPollMs, idempotencyKey }: { pollMs?: number; idempotencyKey?: string } = {},
): Promise<RenderJobAnswer> {
  const { job } = await client.createRenderJob({
    body,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  return waitForRenderJob(client, job.id, pollMs);
}

/** Polls a render job every `pollMs` milliseconds until it has succeeded, failed or been canceled. */
export async function waitForRenderJob(
  client: Client,
  jobId: string,
  pollMs = defaultPollMs,
): Promise<RenderJobAnswer> {
  for (;;) {
    const answer = await client.getRenderJob({ params: { jobId } });
    if (isTerminal(answer.job.status)) return answer;
    await sleep(pollMs);
  }
}

/** Downloads the PDF of a job that has succeeded. */
export async function downloadOutput(client: Client, jobId: string): Promise<Uint8Array> {
  const { access } = await client.createOutputDownload({ params: { jobId } });
  const response = await fetch(access.url);
  if (!response.ok) throw new Error(`The signed link answered ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}
