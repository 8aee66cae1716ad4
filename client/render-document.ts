import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type {
  createRenderJobBody,
  RenderJobAnswer,
} from '../contracts/rest/schemas/render-jobs.ts';
import { isTerminal } from '../contracts/states.ts';
import type { Client } from './client.ts';

/** What the contract advises for a single job (REST 8). */
const defaultPollMs = 2_000;

/**
 * Creates a render job and polls it to its end.
 *
 * @param pollMs between two looks
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
  return untilEnded(client, job.id, pollMs);
}

export async function untilEnded(
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

/** The bytes of a job's PDF, by a signed link. */
export async function downloadOutput(client: Client, jobId: string): Promise<Uint8Array> {
  const { access } = await client.createOutputDownload({ params: { jobId } });
  const response = await fetch(access.url);
  if (!response.ok) throw new Error(`The signed link answered ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}
