import { ServiceError } from '../../contracts/errors.ts';
import { hasIdPrefix } from '../../contracts/ids.ts';
import type { Alias } from '../../contracts/rest/schemas/aliases.ts';
import { clausesFor } from '../database/clauses.ts';
import type { Queryable, Sql } from '../database/connection.ts';
import { type Cursors, type Page, type PageRequest, readPage } from '../database/cursors.ts';
import { inTransaction } from '../database/transactions.ts';
import { getDeploy } from './deploys.ts';

/** Aliases of managed deploys (REST 2.2): names that point at a version or at `latest`. */

/**
 * Points an alias at a version or at `latest`, atomically (REST 4.1). If `deployVersionId` is the name of another alias, the
 * current target of that alias is used.
 *
 * @throws ServiceError `deploy_not_found` | `deploy_type_conflict` | `deploy_version_not_found`
 */
export function setAlias(
  sql: Queryable,
  input: {
    workspaceId: string;
    deployId: string;
    alias: string;
    deployVersionId: string;
    now: number;
  },
): Promise<Alias> {
  const { deployId, alias, deployVersionId: requested, now } = input;
  return inTransaction(sql, async (tx) => {
    // The same lock is held when the deploy or a version is deleted, so that no alias points at a deleted one.
    await tx`select from deploys where id = ${deployId} for no key update`;
    const deploy = await getDeploy(tx, input.workspaceId, deployId);
    if (deploy.type === 'url')
      throw new ServiceError(
        'deploy_type_conflict',
        'A url deploy has no aliases: it always renders its targetUrl.',
      );
    const target = await resolvePointer(tx, deployId, requested);
    if (target === undefined) throw new ServiceError('deploy_version_not_found');
    const [row] = await tx<Alias[]>`
      insert into deploy_aliases (deploy_id, alias, deploy_version_id, updated_at)
      select ${deployId}, ${alias}, ${target}, ${now}
      where ${target} = 'latest' or exists (
        select from deploy_versions where id = ${target} and deploy_id = ${deployId} and status = 'ready')
      on conflict (deploy_id, alias)
        do update set deploy_version_id = excluded.deploy_version_id, updated_at = excluded.updated_at
      returning deploy_id, alias, deploy_version_id, updated_at`;
    if (!row) throw new ServiceError('deploy_version_not_found');
    return row;
  });
}

/** Returns a version id or `latest` unchanged, and the target of an alias by its name; undefined if there is no such alias. */
export async function resolvePointer(
  sql: Queryable,
  deployId: string,
  requested: string,
): Promise<string | undefined> {
  if (requested === 'latest' || hasIdPrefix(requested)) return requested;
  const [row] = await sql<{ deployVersionId: string }[]>`
    select deploy_version_id from deploy_aliases where deploy_id = ${deployId} and alias = ${requested}`;
  return row?.deployVersionId;
}

/** Lists the aliases of a deploy, by name. The caller has checked that the deploy belongs to the workspace. */
export const listAliases = (
  sql: Sql,
  cursors: Cursors,
  { deployId, ...page }: { deployId: string } & PageRequest,
): Promise<Page<Alias>> =>
  readPage(cursors, `aliases ${deployId}`, page, {
    read: ({ after, limit }) => sql<Alias[]>`
      select deploy_id, alias, deploy_version_id, updated_at from deploy_aliases
      where deploy_id = ${deployId} ${clausesFor(sql)(after, (last) => sql`and alias collate "C" > ${last}`)}
      order by alias collate "C" limit ${limit}`,
    toItem: (row) => row,
    toPosition: ({ alias }) => alias,
  });

/** @throws ServiceError `alias_not_found` */
export async function deleteAlias(sql: Queryable, deployId: string, alias: string): Promise<void> {
  const deleted = await sql`
    delete from deploy_aliases where deploy_id = ${deployId} and alias = ${alias} returning 1`;
  if (deleted.length === 0) throw new ServiceError('alias_not_found');
}
