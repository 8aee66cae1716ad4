import type { ApiKey } from '../../contracts/admin/api-keys.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { type PlanCatalogue, type PlanPolicy, policyOf } from '../../contracts/plans.ts';
import { minuteMs } from '../../contracts/units.ts';
import type { Queryable } from '../database/connection.ts';
import {
  type Cursors,
  newestFirst,
  type Page,
  type PageRequest,
  readPage,
} from '../database/cursors.ts';
import { type Nullable, omitNulls } from '../database/rows.ts';
import { createApiKey } from '../secrets/api-key-format.ts';
import { hashSecret } from '../secrets/hashes.ts';

/** API keys (REST 5). A key is shown once; only its hash is stored. */

/** The workspace that an API key is bound to. */
export interface Caller {
  readonly workspaceId: string;
  readonly policy: PlanPolicy;
}

/** Creates an API key and returns it. It cannot be shown again. */
export async function createWorkspaceApiKey(
  sql: Queryable,
  input: { workspaceId: string; name: string; createdBy?: string; now: number },
): Promise<{ id: string; key: string }> {
  const key = createApiKey();
  const { workspaceId, name, createdBy = null, now } = input;
  const row = { id: newId('apiKey'), workspaceId, name, createdBy, createdAt: now };
  await sql`insert into api_keys ${sql({ ...row, keyHash: hashSecret(key) })}`;
  return { id: row.id, key };
}

interface KeyedWorkspace {
  readonly id: string;
  readonly plan: string;
  readonly keyId: string;
  readonly lastUsedAt: number | null;
}

/**
 * Finds the workspace of a key; undefined if the key is unknown or revoked. The row is read for each request, so that a
 * revoked key is refused at once.
 */
export async function findWorkspaceOfKey(
  sql: Queryable,
  apiKey: string,
): Promise<KeyedWorkspace | undefined> {
  const [row] = await sql<KeyedWorkspace[]>`
    select w.id, w.plan, k.id as key_id, k.last_used_at
    from api_keys k join workspaces w on w.id = k.workspace_id
    where k.key_hash = ${hashSecret(apiKey)} and k.revoked_at is null`;
  return row;
}

/** Finds the caller of a key with the plan's policy. `shouldRecordUse` is true if `recordKeyUse` has to be called. */
export async function findCaller(
  sql: Queryable,
  plans: PlanCatalogue,
  apiKey: string,
  now: number,
): Promise<(Caller & { keyId: string; shouldRecordUse: boolean }) | undefined> {
  const found = await findWorkspaceOfKey(sql, apiKey);
  return (
    found && {
      workspaceId: found.id,
      policy: policyOf(plans, found.plan),
      keyId: found.keyId,
      shouldRecordUse: (found.lastUsedAt ?? 0) <= now - usePrecisionMs,
    }
  );
}

/** The last use of a key is recorded to the minute, because a write for each call would cost too much. */
const usePrecisionMs = minuteMs;

/** Records the use of a key, at most once a minute for all callers and processes together. */
export async function recordKeyUse(sql: Queryable, keyId: string, now: number): Promise<void> {
  await sql`
    update api_keys set last_used_at = ${now}
    where id = ${keyId} and (last_used_at is null or last_used_at <= ${now - usePrecisionMs})`;
}

/** Lists the keys of a workspace that are not revoked, newest first. */
export const listApiKeys = (
  sql: Queryable,
  cursors: Cursors,
  { workspaceId, ...page }: { workspaceId: string } & PageRequest,
): Promise<Page<ApiKey>> =>
  readPage(cursors, `api-keys ${workspaceId}`, page, {
    read: (position) => sql<Nullable<ApiKey>[]>`
      select id, name, created_at, created_by, last_used_at from api_keys
      where workspace_id = ${workspaceId} and revoked_at is null ${newestFirst(sql, sql`id`, position)}`,
    toItem: (row) => omitNulls(row),
    toPosition: ({ id }) => id,
  });

/** Revokes a key. It is invalid at once. @throws ServiceError `api_key_not_found` */
export async function revokeApiKey(
  sql: Queryable,
  input: { workspaceId: string; keyId: string; now: number },
): Promise<void> {
  const revoked = await sql`
    update api_keys set revoked_at = ${input.now}
    where id = ${input.keyId} and workspace_id = ${input.workspaceId} and revoked_at is null returning 1`;
  if (revoked.length === 0) throw new ServiceError('api_key_not_found');
}
