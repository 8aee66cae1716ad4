import { ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import type { PlanPolicy } from '../../contracts/plans.ts';
import type { Transaction } from '../database/connection.ts';
import { resolvePointer } from '../deploys/aliases.ts';
import { lockWorkspace } from '../workspaces/workspaces.ts';

interface RenderTargetInput {
  readonly workspaceId: string;
  /** `deployVersionId` is the id of a version, `latest`, or the name of an alias. */
  readonly body: { readonly deployId: string; readonly deployVersionId: string };
  readonly policy: PlanPolicy;
  readonly now: number;
  /** The target of an earlier job of a url deploy. It is used instead of the current one. */
  readonly pinnedTargetUrl?: string;
}

/** The document that a job will render. It is fixed when the job is created. */
interface RenderTarget {
  readonly deploySlug: string;
  readonly deployVersionId: string;
  readonly targetUrl: string | null;
  readonly title: string;
  readonly renderTimeoutMs: number | null;
}

/**
 * Resolves what a request names to one version, or to one target of a url deploy.
 *
 * @throws ServiceError `deploy_not_found` | `deploy_version_not_found` | `alias_not_found` | `deploy_type_conflict` |
 *   `workspace_pro_required`
 */
export async function resolveRenderTarget(
  tx: Transaction,
  input: RenderTargetInput,
): Promise<RenderTarget> {
  const { deployId, deployVersionId: requested } = input.body;
  const [deploy] = await tx<
    { slug: string; targetUrl: string | null; name: string; temporary: boolean }[]
  >`
    select slug, target_url, name, temporary from deploys
    where id = ${deployId} and workspace_id = ${input.workspaceId} and deleted_at is null`;
  if (!deploy) throw new ServiceError('deploy_not_found');
  if (deploy.temporary) await assertFirstJob(tx, input.workspaceId, deployId);
  if (deploy.targetUrl === null)
    return resolveVersion(tx, { id: deployId, slug: deploy.slug }, requested);
  if (requested !== 'latest')
    throw new ServiceError(
      'deploy_type_conflict',
      'A url deploy renders only "latest": leave deployVersionId out.',
    );
  if (!input.policy.allowExternalNetwork)
    throw new ServiceError(
      'workspace_pro_required',
      'The plan of this workspace has no external network, which a url deploy needs: change to the higher plan.',
    );
  const targetUrl = input.pinnedTargetUrl ?? deploy.targetUrl;
  return snapshotUrl(
    tx,
    { id: deployId, slug: deploy.slug, name: deploy.name, targetUrl },
    input.now,
  );
}

/** A temporary deploy accepts one job only. */
async function assertFirstJob(
  tx: Transaction,
  workspaceId: string,
  deployId: string,
): Promise<void> {
  // The workspace is locked first, in the same order as when a version of the deploy is published.
  await lockWorkspace(tx, workspaceId);
  await tx`select from deploys where id = ${deployId} for no key update`;
  const jobs = await tx`select 1 from render_jobs where deploy_id = ${deployId} limit 1`;
  if (jobs.length > 0)
    throw new ServiceError(
      'deploy_type_conflict',
      'This temporary deploy already has its one render job: upload the document again.',
    );
}

/** Finds a version by its id, by `latest`, or by the name of an alias. It is locked, so that it is not deleted before the job exists. */
async function resolveVersion(
  tx: Transaction,
  deploy: { id: string; slug: string },
  requested: string,
): Promise<RenderTarget> {
  const pointer = await resolvePointer(tx, deploy.id, requested);
  if (pointer === undefined) throw new ServiceError('alias_not_found');
  const lockVersion = () => tx<{ id: string; title: string; renderTimeoutMs: number | null }[]>`
    select id, title, render_timeout_ms from deploy_versions
    where deploy_id = ${deploy.id} and status = 'ready'
      ${pointer === 'latest' ? tx`order by version_no desc limit 1` : tx`and id = ${pointer}`}
    for share`;
  let [version] = await lockVersion();
  // The newest version was deleted while this statement waited for its lock. An older one may be ready.
  if (!version && pointer === 'latest') [version] = await lockVersion();
  if (!version) throw new ServiceError('deploy_version_not_found');
  return {
    deploySlug: deploy.slug,
    deployVersionId: version.id,
    targetUrl: null,
    title: version.title,
    renderTimeoutMs: version.renderTimeoutMs,
  };
}

/**
 * Returns the target of a url deploy as a document to render. Each target URL of a deploy has one id, which its first job
 * creates.
 */
async function snapshotUrl(
  tx: Transaction,
  deploy: { id: string; slug: string; name: string; targetUrl: string },
  now: number,
): Promise<RenderTarget> {
  const [snapshot] = await tx<{ id: string }[]>`
    insert into deploy_url_snapshots (id, deploy_id, target_url, created_at)
    values (${newId('deployVersion')}, ${deploy.id}, ${deploy.targetUrl}, ${now})
    on conflict (deploy_id, target_url) do update set target_url = excluded.target_url
    returning id`;
  return {
    deploySlug: deploy.slug,
    deployVersionId: snapshot?.id ?? '',
    targetUrl: deploy.targetUrl,
    title: deploy.name,
    renderTimeoutMs: null,
  };
}
