import { idempotencyWindowMs, webhookLogMs } from '../contracts/limits.ts';
import type { CleanUpCounts } from '../contracts/processes/workflows.ts';
import { minuteMs } from '../contracts/units.ts';
import { deleteScheduledBlobs } from './blobs/blob-deletions.ts';
import { deleteOldIdempotencyKeys } from './database/idempotency.ts';
import { deleteUnusedTemporaryDeploys } from './deploys/deploys.ts';
import { purgeVersions } from './deploys/purge-versions.ts';
import { deleteSessionFiles } from './deploys/session-files.ts';
import { expireUploadSessions } from './deploys/upload-sessions.ts';
import { deleteUnreferencedFiles } from './deploys/workspace-files.ts';
import { deleteExpiredOutputs } from './jobs/outputs.ts';
import { deleteExpiredSignInRows } from './people/sign-in-links.ts';
import { resealSecrets } from './secrets/resealing.ts';
import type { Store } from './store.ts';
import { deleteOldDeliveries } from './webhooks/webhook-deliveries.ts';

/**
 * The clean-up removes rows and blobs that have expired, and encrypts secrets again after a change of `SECRET_KEY`. Each step
 * is bounded, can be repeated, and removes nothing that is in use.
 */

/** The most rows that one call of a step changes. One statement changes this many rows within a second. */
const batchSizes = { rows: 1_000, files: 10_000, versions: 20 } as const;
/** A step that reaches its limit is repeated for up to this long. The remaining rows wait for the next clean-up. */
const maxRunMs = minuteMs;

interface Step {
  readonly limit: number;
  /** Removes or changes up to `limit` rows and returns how many. */
  readonly run: (limit: number) => Promise<number>;
}

/**
 * Runs all steps and returns the counts for operators. A failed step does not stop the others.
 *
 * @param now Unix ms
 * @throws Error at the end, with the names of the failed steps
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
        const { limit, run } = steps[name];
        const count = await run(limit);
        counts[name] += count;
        if (count >= limit) full.push(name);
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
  const { rows, files, versions } = batchSizes;
  return {
    expiredSessions: { limit: rows, run: (limit) => expireUploadSessions(sql, now, limit) },
    sessionFiles: { limit: files, run: (limit) => deleteSessionFiles(sql, limit) },
    temporaryDeploys: {
      limit: rows,
      run: (limit) => deleteUnusedTemporaryDeploys(sql, { now, limit }),
    },
    transientOutputs: {
      limit: rows,
      run: async (limit) => (await deleteExpiredOutputs(sql, now, limit)).count,
    },
    purgedVersions: { limit: versions, run: (limit) => purgeVersions(sql, now, limit) },
    unreferencedFiles: { limit: files, run: (limit) => deleteUnreferencedFiles(sql, now, limit) },
    idempotencyKeys: {
      limit: rows,
      run: (limit) => deleteOldIdempotencyKeys(sql, now - idempotencyWindowMs, limit),
    },
    signInRows: { limit: Number.POSITIVE_INFINITY, run: () => deleteExpiredSignInRows(sql, now) },
    webhookDeliveries: {
      limit: rows,
      run: (limit) => deleteOldDeliveries(sql, now - webhookLogMs, limit),
    },
    resealedSecrets: { limit: rows, run: (limit) => resealSecrets(sql, store, limit) },
    blobs: { limit: rows, run: (limit) => deleteScheduledBlobs(sql, blobs, { now, limit }) },
  };
}
