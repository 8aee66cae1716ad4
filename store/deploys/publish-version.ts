import { ServiceError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { type PlanCatalogue, policyOf } from '../../contracts/plans.ts';
import type { CommitBody } from '../../contracts/rest/schemas/commits.ts';
import { uploadSessionTransitions } from '../../contracts/states.ts';
import { cancelBlobDeletion } from '../blobs/blob-deletions.ts';
import type { Sql, Transaction } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { debitDeployCommit } from '../usage/quotas.ts';
import { addStorage } from '../usage/storage-usage.ts';
import { lockWorkspace } from '../workspaces/workspaces.ts';
import type { RenderPackage } from './render-packs.ts';
import { toVersionPrint } from './version-print.ts';

/**
 * Publishes the version of a commit. One transaction writes the version with its number and files, and swaps the session
 * `committing → committed`. If the session is already committed, the published version is returned.
 *
 * @returns the id of the version
 * @throws ServiceError `upload_session_closed` if the session is at another commit, `deploy_not_found` |
 *   `deploy_commit_quota_exceeded` | `storage_limit_exceeded`
 */
export async function publishVersion(
  sql: Sql,
  plans: PlanCatalogue,
  input: {
    uploadSessionId: string;
    commitNo?: number | undefined;
    renderPackage: RenderPackage;
    now: number;
  },
): Promise<string> {
  const { uploadSessionId, commitNo, renderPackage, now } = input;
  return inTransaction(sql, async (tx) => {
    const [session] = await tx<
      {
        workspaceId: string;
        plan: string;
        deployId: string;
        status: string;
        commitNo: number;
        deployVersionId: string | null;
        commitBody: CommitBody;
      }[]
    >`
      select s.workspace_id, w.plan, s.deploy_id, s.status, s.commit_no, s.deploy_version_id, s.commit_body
      from upload_sessions s join workspaces w on w.id = s.workspace_id
      where s.id = ${uploadSessionId} for update of s`;
    if (session?.deployVersionId) return session.deployVersionId;
    // This is a late activity of an earlier commit: the entries in the row do not belong to it.
    if (session?.status !== 'committing' || (commitNo ?? session.commitNo) !== session.commitNo)
      throw new ServiceError('upload_session_closed');
    await lockWorkspace(tx, session.workspaceId);
    // The deletion of the pack was scheduled when it was written, or when another version with the same tree was purged.
    for (const key of [renderPackage.renderIndexKey, renderPackage.renderPackKey])
      await cancelBlobDeletion(tx, key, Date.now());
    const [numbered] = await tx<{ lastVersionNo: number }[]>`
      update deploys set last_version_no = last_version_no + 1
      where id = ${session.deployId} and deleted_at is null returning last_version_no`;
    if (!numbered) throw new ServiceError('deploy_not_found');

    const { entries, render } = session.commitBody;
    const { print, printGeneration, warnings } = toVersionPrint(render);
    const version = {
      id: newId('deployVersion'),
      workspaceId: session.workspaceId,
      deployId: session.deployId,
      versionNo: numbered.lastVersionNo,
      ...renderPackage,
      route: render.route,
      title: render.title,
      renderTimeoutMs: render.renderTimeoutMs ?? null,
      metadata: toJsonColumn(tx, render.metadata),
      print: toJsonColumn(tx, print),
      printGeneration,
      warnings: toJsonColumn(tx, warnings.length > 0 ? warnings : undefined),
      fileCount: entries.length,
      bytes: entries.reduce((sum, { size }) => sum + size, 0),
      createdAt: now,
    };
    await tx`insert into deploy_versions ${tx(version)}`;
    await tx`
      insert into deploy_version_files (deploy_version_id, path, sha256, size, mime)
      select ${version.id}, path, "blobHash", size, mime
      from jsonb_to_recordset(${tx.json(entries as never)}) as e(path text, "blobHash" text, size bigint, mime text)`;
    const { from, to } = uploadSessionTransitions.publish;
    await tx`
      update upload_sessions set status = ${to}, deploy_version_id = ${version.id}, committed_at = ${now}, commit_body = null
      where id = ${uploadSessionId} and status in ${tx(from)}`;
    const { workspaceId, bytes } = version;
    const policy = policyOf(plans, session.plan);
    await debitDeployCommit(tx, { workspaceId, policy, now });
    await addStorage(tx, {
      workspaceId,
      added: { deployVersionBytes: bytes },
      storageLimitBytes: policy.storageLimitBytes,
      now,
    });
    return version.id;
  });
}

const toJsonColumn = (tx: Transaction, value: object | null | undefined) =>
  value ? tx.json(value as never) : null;
