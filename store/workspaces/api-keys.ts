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
import { createApiKey, hashSecret } from '../secrets/tokens.ts';

/** API keys (REST 5): shown once, stored by their hash. */

/** The workspace that an API key is bound to. */
export interface Caller {
  readonly workspaceId: string;
  readonly policy: PlanPolicy;
}

/** Creates an API key and returns it; it cannot be shown again. */
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

/** The workspace of a key; undefined for a key that is unknown or revoked. Read each time: a revoked key is dead at once. */
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

/** Who calls with this key, under which plan, and whether its use is to be written down. */
export async function findCaller(
  sql: Queryable,
  plans: PlanCatalogue,
  apiKey: string,
  now: number,
): Promise<(Caller & { keyId: string; useIsDue: boolean }) | undefined> {
  const found = await findWorkspaceOfKey(sql, apiKey);
  return (
    found && {
      workspaceId: found.id,
      policy: policyOf(plans, found.plan),
      keyId: found.keyId,
      useIsDue: (found.lastUsedAt ?? 0) <= now - usePrecisionMs,
    }
  );
}

/** The last use of a key is known to the minute: a write for each call would cost more than it tells. */
const usePrecisionMs = minuteMs;

/** Writes down that a key is used, once a minute whatever the number of callers and processes. */
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

/** Revokes a key: it is dead at once. @throws ServiceError `api_key_not_found` */
export async function revokeApiKey(
  sql: Queryable,
  input: { workspaceId: string; keyId: string; now: number },
): Promise<void> {
  const revoked = await sql`
    update api_keys set revoked_at = ${input.now}
    where id = ${input.keyId} and workspace_id = ${input.workspaceId} and revoked_at is null returning 1`;
  if (revoked.length === 0) throw new ServiceError('api_key_not_found');
}
