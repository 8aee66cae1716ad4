import { ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { temporaryDeployMs } from '../../contracts/limits.ts';
import type { Deploy, DeploySummary, DeployType } from '../../contracts/rest/schemas/deploys.ts';
import type { Queryable, Sql, Transaction } from '../database/connection.ts';
import {
  type Cursors,
  newestFirst,
  type Page,
  type PageRequest,
  readPage,
} from '../database/cursors.ts';
import { hasSqlState, sqlStates } from '../database/errors.ts';
import { type Nullable, omitNulls } from '../database/rows.ts';
import { inTransaction } from '../database/transactions.ts';
import { markVersionsDeleted } from './deploy-versions.ts';

type DeployRow = Nullable<Deploy>;

/** Routes answer with these columns. A column that REST does not show is read by a function of its own. */
const deployColumns = ['id', 'workspace_id', 'slug', 'name', 'type', 'target_url', 'created_at'];

const toDeploy = (row: DeployRow): Deploy => omitNulls(row);

/**
 * Creates a deploy (REST 4.1).
 *
 * @throws ServiceError `deploy_slug_conflict`
 */
export async function createDeploy(
  sql: Queryable,
  input: {
    workspaceId: string;
    slug: string;
    name: string;
    type: DeployType;
    targetUrl?: string | undefined;
    temporary?: boolean;
    now: number;
  },
): Promise<Deploy> {
  const row = {
    id: newId('deploy'),
    workspaceId: input.workspaceId,
    slug: input.slug,
    name: input.name,
    type: input.type,
    targetUrl: input.targetUrl ?? null,
    temporary: input.temporary ?? false,
    createdAt: input.now,
  };
  return toDeploy(
    await requireDeployRow(
      sql<DeployRow[]>`insert into deploys ${sql(row)} returning ${sql(deployColumns)}`,
    ),
  );
}

/** @throws ServiceError `deploy_not_found` */
export async function getDeploy(
  sql: Queryable,
  workspaceId: string,
  deployId: string,
): Promise<Deploy> {
  const [row] = await sql<DeployRow[]>`
    select ${sql(deployColumns)} from deploys
    where id = ${deployId} and workspace_id = ${workspaceId} and deleted_at is null`;
  if (!row) throw new ServiceError('deploy_not_found');
  return toDeploy(row);
}

/**
 * Changes the fields that are present (REST 4.1). Existing jobs keep the target that they were created with.
 *
 * @throws ServiceError `deploy_not_found` | `deploy_slug_conflict` | `deploy_type_conflict`
 */
export async function updateDeploy(
  sql: Sql,
  workspaceId: string,
  deployId: string,
  change: { name?: string | undefined; slug?: string | undefined; targetUrl?: string | undefined },
): Promise<Deploy> {
  const deploy = await getDeploy(sql, workspaceId, deployId);
  if (change.targetUrl !== undefined && deploy.type === 'managed')
    throw new ServiceError(
      'deploy_type_conflict',
      'A managed deploy has no targetUrl: leave it out.',
    );
  const fields = omitNulls(change);
  if (Object.keys(fields).length === 0) return deploy;
  const row = await requireDeployRow(sql<DeployRow[]>`
    update deploys set ${sql(fields)}
    where id = ${deployId} and workspace_id = ${workspaceId} and deleted_at is null
    returning ${sql(deployColumns)}`);
  return toDeploy(row);
}

/** Lists deploys, newest first (REST 4.1). */
export const listDeploys = (
  sql: Queryable,
  cursors: Cursors,
  { workspaceId, ...page }: { workspaceId: string } & PageRequest,
): Promise<Page<DeploySummary>> =>
  readPage(cursors, `deploys ${workspaceId}`, page, {
    read: (position) => sql<DeploySummary[]>`
      select id, slug, name, type, created_at from deploys
      where workspace_id = ${workspaceId} and deleted_at is null ${newestFirst(sql, sql`id`, position)}`,
    toItem: (row) => row,
    toPosition: ({ id }) => id,
  });

/**
 * Marks a deploy and its versions as deleted, and deletes its aliases. Its slug is free again. Accepted jobs still run to
 * their end.
 *
 * @throws ServiceError `deploy_not_found`
 */
export const deleteDeploy = (
  sql: Queryable,
  workspaceId: string,
  deployId: string,
  now: number,
): Promise<void> =>
  inTransaction(sql, async (tx) => {
    await getDeploy(tx, workspaceId, deployId);
    await markDeploysDeleted(tx, tx`id = ${deployId}`, now);
  });

/** Deletes all deploys that match `condition`, with versions and aliases. Files and packs are deleted when no open job needs them. */
export async function markDeploysDeleted(
  tx: Transaction,
  condition: ReturnType<Queryable>,
  now: number,
): Promise<number> {
  const deleted = await tx<{ id: string }[]>`
    update deploys set deleted_at = ${now} where deleted_at is null and ${condition} returning id`;
  const ids = deleted.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await markVersionsDeleted(tx, tx`deploy_id = any(${ids})`, now);
  await tx`delete from deploy_aliases where deploy_id = any(${ids})`;
  return ids.length;
}

/**
 * Deletes temporary deploys that got no render job. Their last commit is old, or they never had one, and no session can
 * commit to them any more.
 */
export const deleteUnusedTemporaryDeploys = (
  sql: Sql,
  { now, limit }: { now: number; limit: number },
): Promise<number> => {
  const before = now - temporaryDeployMs;
  return inTransaction(sql, (tx) =>
    markDeploysDeleted(
      tx,
      tx`id in (
        select id from deploys d
        where temporary and deleted_at is null and created_at <= ${before}
          and not exists (select from deploy_versions v where v.deploy_id = d.id and v.created_at > ${before})
          and not exists (select from upload_sessions s where s.deploy_id = d.id and s.status in ('open', 'committing'))
          and not exists (select from render_jobs j where j.deploy_id = d.id)
        limit ${limit} for update skip locked)`,
      now,
    ),
  );
};

/** Returns the row. @throws ServiceError `deploy_not_found` if there is none | `deploy_slug_conflict` if the slug is in use */
async function requireDeployRow<T>(query: PromiseLike<readonly T[]>): Promise<T> {
  try {
    const [row] = await query;
    if (!row) throw new ServiceError('deploy_not_found');
    return row;
  } catch (error) {
    if (hasSqlState(error, sqlStates.uniqueViolation, 'deploys_slug'))
      throw new ServiceError('deploy_slug_conflict', undefined, { cause: error });
    throw error;
  }
}
