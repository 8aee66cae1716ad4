import { idempotencyWindowMs, webhookLogMs } from '../contracts/limits.ts';
import { uploadSessionTransitions } from '../contracts/states.ts';
import type { CleanUpCounts } from '../contracts/workflows.ts';
import { deleteOwedBlobs, oweBlobDeletions } from './blobs/blob-deletions.ts';
import { blobKeys } from './blobs/blobs.ts';
import { inTransaction, type Sql } from './database.ts';
import { markDeploysDeleted } from './deploys/deploys.ts';
import { deleteDueOutputs } from './jobs/outputs.ts';
import { deleteEndedSignInRows } from './people/sign-in-links.ts';
import { lockWorkspace } from './people/workspaces.ts';
import { resealSecrets } from './resealing.ts';
import type { Store } from './store.ts';
import { deleteOldDeliveries } from './webhooks/webhook-deliveries.ts';

/** What time has made superfluous. Each step is bounded, can be called again, and takes nothing that is in use. */

/** Rows of one step in one run; what remains waits for the next. */
const maxPerRun = 1_000;
/** An unreferenced file is kept longer than an upload session or a render can last. */
const unreferencedFileMs = 24 * 3_600_000;
/** A pack may just be read by a worker that fetched the job before it ended. */
const packGraceMs = 10 * 60_000;

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
    expiredSessions: () => expireSessions(sql, now),
    sessionFiles: () => forgetSessionFiles(sql),
    temporaryDeploys: () => deleteUnusedTemporaryDeploys(sql, now - uploadSessionTtlMs, now),
    transientOutputs: async () => (await deleteDueOutputs(sql, now, maxPerRun)).count,
    purgedVersions: () => purgeVersions(sql, now),
    unreferencedFiles: () => giveUpUnreferencedFiles(sql, now),
    idempotencyKeys: () => deleteOldIdempotencyKeys(sql, now - idempotencyWindowMs),
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

/** `open → expired`; the rows stay as tombstones, which answer 410. */
async function expireSessions(sql: Sql, now: number): Promise<number> {
  const { from, to } = uploadSessionTransitions.expire;
  const expired = await sql`
    update upload_sessions set status = ${to}
    where id in (
      select id from upload_sessions where status in ${sql(from)} and expires_at <= ${now}
      limit ${maxPerRun} for update skip locked)
    returning 1`;
  return expired.length;
}

/** What an ended session listed holds no file any more. */
const forgetSessionFiles = async (sql: Sql): Promise<number> =>
  (
    await sql`
    delete from upload_session_files where upload_session_id in (
      select s.id from upload_sessions s
      where s.status in ('expired', 'committed')
        and exists (select from upload_session_files f where f.upload_session_id = s.id)
      limit ${maxPerRun})
    returning 1`
  ).length;

/** Made for one render that never came. */
const deleteUnusedTemporaryDeploys = (
  sql: Sql,
  createdBefore: number,
  now: number,
): Promise<number> =>
  inTransaction(sql, (tx) =>
    markDeploysDeleted(
      tx,
      tx`id in (
        select id from deploys d
        where temporary and deleted_at is null and created_at < ${createdBefore}
          and not exists (select from render_jobs j where j.deploy_id = d.id)
        limit ${maxPerRun} for update skip locked)`,
      now,
    ),
  );

/** Each may have 15,000 files: a run that takes more could not end in time. */
const maxVersionsPerRun = 20;

/**
 * Gives up the files of deleted versions that no open job renders, and packs that no other version shares. A workspace in
 * which a commit runs waits: the commit may just have found the pack that would go.
 */
async function purgeVersions(sql: Sql, now: number): Promise<number> {
  const purgeable = await sql<{ id: string; workspaceId: string }[]>`
    select d.id, d.workspace_id from deploy_versions d
    where d.status = 'deleted' and d.purged_at is null
      and not exists (
        select from render_jobs j where j.deploy_version_id = d.id and j.finished_at is null)
      and not exists (
        select from upload_sessions s where s.workspace_id = d.workspace_id and s.status = 'committing')
    order by d.id limit ${maxVersionsPerRun}`;
  for (const version of purgeable) await purgeVersion(sql, version, now);
  return purgeable.length;
}

/**
 * The workspace is locked, as it is where a version is published: whichever comes second sees whether the other needs the pack,
 * or that its deletion is owed.
 */
const purgeVersion = (
  sql: Sql,
  { id, workspaceId }: { id: string; workspaceId: string },
  now: number,
): Promise<void> =>
  inTransaction(sql, async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await tx`delete from deploy_version_files where deploy_version_id = ${id}`;
    const [purged] = await tx<{ treeHash: string }[]>`
      update deploy_versions set purged_at = ${now} where id = ${id} and purged_at is null returning tree_hash`;
    if (!purged) return;
    const { treeHash } = purged;
    const sharing = await tx`
      select 1 from deploy_versions
      where workspace_id = ${workspaceId} and tree_hash = ${treeHash} and purged_at is null limit 1`;
    if (sharing.length > 0) return;
    const packs = Object.values(blobKeys.renderPackage(workspaceId, treeHash));
    await oweBlobDeletions(tx, packs, now + packGraceMs);
  });

/** Files that no version is made of and no session lists. */
const giveUpUnreferencedFiles = (sql: Sql, now: number): Promise<number> =>
  inTransaction(sql, async (tx) => {
    const given = await tx<{ workspaceId: string; sha256: string }[]>`
      delete from blobs where (workspace_id, sha256) in (
        select b.workspace_id, b.sha256 from blobs b
        where b.created_at < ${now - unreferencedFileMs}
          and not exists (
            select from deploy_version_files f join deploy_versions v on v.id = f.deploy_version_id
            where f.sha256 = b.sha256 and v.workspace_id = b.workspace_id)
          and not exists (
            select from upload_session_files f join upload_sessions s on s.id = f.upload_session_id
            where f.sha256 = b.sha256 and s.workspace_id = b.workspace_id and s.status in ('open', 'committing'))
        limit ${maxPerRun} for update skip locked)
      returning workspace_id, sha256`;
    const keys = given.map(({ workspaceId, sha256 }) => blobKeys.file(workspaceId, sha256));
    await oweBlobDeletions(tx, keys, now);
    return given.length;
  });

const deleteOldIdempotencyKeys = async (sql: Sql, createdBefore: number): Promise<number> =>
  (
    await sql`
    delete from idempotency_keys where (workspace_id, route, key) in (
      select workspace_id, route, key from idempotency_keys where created_at <= ${createdBefore} limit ${maxPerRun})
    returning 1`
  ).length;
