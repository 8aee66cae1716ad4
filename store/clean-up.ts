import { idempotencyWindowMs, webhookLogMs } from '../contracts/limits.ts';
import type { CleanUpCounts } from '../contracts/processes/workflows.ts';
import { minuteMs } from '../contracts/units.ts';
import { deleteScheduledBlobs } from './blobs/blob-deletions.ts';
import { deleteOldIdempotencyKeys } from './database/idempotency.ts';
import { deleteUnusedTemporaryDeploys } from './deploys/deploys.ts';
import { purgeVersions } from './deploys/purge-versions.ts';
import {
  deleteSessionFiles,
  deleteUnreferencedFiles,
  expireUploadSessions,
} from './deploys/upload-sessions.ts';
import { deleteDueOutputs } from './jobs/outputs.ts';
import { deleteEndedSignInRows } from './people/sign-in-links.ts';
import { resealSecrets } from './secrets/resealing.ts';
import type { Store } from './store.ts';
import { deleteOldDeliveries } from './webhooks/webhook-deliveries.ts';

/** What time has made superfluous. Each step is bounded, can be called again, and takes nothing that is in use. */

/** Rows that a step takes at once: what a statement does in a second at most. */
const atOnce = { rows: 1_000, files: 10_000, versions: 20 } as const;
/** Steps that found as many as they take are called again for so long; what remains waits for the next run. */
const maxRunMs = minuteMs;

interface Step {
  readonly limit: number;
  /** How many it took, of `limit` at most. */
  readonly take: (limit: number) => Promise<number>;
}

/**
 * One run; the counts are what operators see. A step that fails holds up no other.
 *
 * @param now Unix ms
 * @throws Error at the end, which names the steps that failed
 */
export async function cleanUp(
  store: Pick<Store, 'sql' | 'blobs' | 'linkTokens' | 'webhookSecrets'>,
  now: number,
): Promise<CleanUpCounts> {
  const steps = createSteps(store, now);
  const counts = Object.fromEntries(Object.keys(steps).map((name) => [name, 0])) as Record<
    keyof CleanUpCounts,
    number
  >;
  const failures = new Map<string, unknown>();
  const deadline = Date.now() + maxRunMs;
  let unfinished = Object.keys(steps) as (keyof CleanUpCounts)[];
  do {
    const full: typeof unfinished = [];
    for (const name of unfinished)
      try {
        const { limit, take } = steps[name];
        const taken = await take(limit);
        counts[name] += taken;
        if (taken >= limit) full.push(name);
      } catch (error) {
        failures.set(name, error);
      }
    unfinished = full;
  } while (unfinished.length > 0 && Date.now() < deadline);
  if (failures.size === 0) return counts;
  const [cause] = failures.values();
  throw new Error(`Steps of the clean-up failed: ${[...failures.keys()].join(', ')}.`, { cause });
}

function createSteps(
  store: Parameters<typeof cleanUp>[0],
  now: number,
): Record<keyof CleanUpCounts, Step> {
  const { sql, blobs } = store;
  const { rows, files, versions } = atOnce;
  return {
    expiredSessions: { limit: rows, take: (limit) => expireUploadSessions(sql, now, limit) },
    sessionFiles: { limit: files, take: (limit) => deleteSessionFiles(sql, limit) },
    temporaryDeploys: {
      limit: rows,
      take: (limit) => deleteUnusedTemporaryDeploys(sql, { now, limit }),
    },
    transientOutputs: {
      limit: rows,
      take: async (limit) => (await deleteDueOutputs(sql, now, limit)).count,
    },
    purgedVersions: { limit: versions, take: (limit) => purgeVersions(sql, now, limit) },
    unreferencedFiles: { limit: files, take: (limit) => deleteUnreferencedFiles(sql, now, limit) },
    idempotencyKeys: {
      limit: rows,
      take: (limit) => deleteOldIdempotencyKeys(sql, now - idempotencyWindowMs, limit),
    },
    signInRows: { limit: Number.POSITIVE_INFINITY, take: () => deleteEndedSignInRows(sql, now) },
    webhookDeliveries: {
      limit: rows,
      take: (limit) => deleteOldDeliveries(sql, now - webhookLogMs, limit),
    },
    resealedSecrets: { limit: rows, take: (limit) => resealSecrets(sql, store, limit) },
    blobs: { limit: rows, take: (limit) => deleteScheduledBlobs(sql, blobs, { now, limit }) },
  };
}
