import { idempotencyWindowMs, webhookLogMs } from '../contracts/limits.ts';
import type { CleanUpCounts } from '../contracts/workflows.ts';
import { deleteOwedBlobs } from './blobs/blob-deletions.ts';
import { deleteUnusedTemporaryDeploys } from './deploys/deploys.ts';
import { purgeVersions } from './deploys/purge-versions.ts';
import {
  expireUploadSessions,
  forgetSessionFiles,
  giveUpUnreferencedFiles,
} from './deploys/upload-sessions.ts';
import { deleteOldIdempotencyKeys } from './idempotency.ts';
import { deleteDueOutputs } from './jobs/outputs.ts';
import { deleteEndedSignInRows } from './people/sign-in-links.ts';
import { resealSecrets } from './resealing.ts';
import type { Store } from './store.ts';
import { deleteOldDeliveries } from './webhooks/webhook-deliveries.ts';

/** What time has made superfluous. Each step is bounded, can be called again, and takes nothing that is in use. */

/** Rows of one step in one run; what remains waits for the next. */
const maxPerRun = 1_000;

export interface CleanUpInput {
  readonly now: number;
  readonly uploadSessionTtlMs: number;
}

/**
 * One run; the counts are what operators see. A step that fails holds up no other.
 *
 * @throws Error at the end, which names the steps that failed
 */
export async function cleanUp(
  store: Pick<Store, 'sql' | 'blobs' | 'linkTokens' | 'webhookSecrets'>,
  input: CleanUpInput,
): Promise<CleanUpCounts> {
  const { sql, blobs } = store;
  const { now, uploadSessionTtlMs } = input;
  const steps: Record<keyof CleanUpCounts, () => Promise<number>> = {
    expiredSessions: () => expireUploadSessions(sql, now, maxPerRun),
    sessionFiles: () => forgetSessionFiles(sql, maxPerRun),
    temporaryDeploys: () =>
      deleteUnusedTemporaryDeploys(sql, {
        createdBefore: now - uploadSessionTtlMs,
        now,
        limit: maxPerRun,
      }),
    transientOutputs: async () => (await deleteDueOutputs(sql, now, maxPerRun)).count,
    purgedVersions: () => purgeVersions(sql, now),
    unreferencedFiles: () => giveUpUnreferencedFiles(sql, now, maxPerRun),
    idempotencyKeys: () => deleteOldIdempotencyKeys(sql, now - idempotencyWindowMs, maxPerRun),
    signInRows: () => deleteEndedSignInRows(sql, now),
    webhookDeliveries: () => deleteOldDeliveries(sql, now - webhookLogMs, maxPerRun),
    resealedSecrets: () => resealSecrets(sql, store, maxPerRun),
    blobs: () => deleteOwedBlobs(sql, blobs, { now, limit: maxPerRun }),
  };
  const counts: [string, number][] = [];
  const failures = new Map<string, unknown>();
  for (const [name, step] of Object.entries(steps))
    try {
      counts.push([name, await step()]);
    } catch (error) {
      failures.set(name, error);
    }
  if (failures.size === 0) return Object.fromEntries(counts) as unknown as CleanUpCounts;
  const [cause] = failures.values();
  throw new Error(`Steps of the clean-up failed: ${[...failures.keys()].join(', ')}.`, { cause });
}
