import type { uploadSessionRoutes } from '../../contracts/rest/routes/upload-sessions.ts';
import { createOnce } from '../../store/database/idempotency.ts';
import { beginCommit } from '../../store/deploys/commits.ts';
import { getReadyOrDeletedVersion } from '../../store/deploys/deploy-versions.ts';
import { getListedBlob, listMissingBlobs } from '../../store/deploys/session-files.ts';
import { storeFile } from '../../store/deploys/store-file.ts';
import { assertOpen, createUploadSession } from '../../store/deploys/upload-sessions.ts';
import type { ApiContext } from '../context.ts';
import type { Handlers } from '../endpoint.ts';
import { verifyBlob } from '../verify-blob.ts';
import { waitForCommit } from '../wait-for-commit.ts';

/** Upload sessions (REST 4.2). */
export function createUploadSessionHandlers({
  config: { uploadSessionTtlMs: ttlMs },
  store,
  relay,
}: ApiContext): Handlers<typeof uploadSessionRoutes> {
  const { sql, uploadTokens } = store;
  return {
    async createUploadSession({ operationId: route, caller, body, idempotencyKey: key, now }) {
      const { workspaceId, policy } = caller;
      const call = { workspaceId, route, key, body, now };
      const { result, replayed } = await createOnce(sql, call, (tx) =>
        createUploadSession(tx, { workspaceId, policy, body, ttlMs, now }),
      );
      const uploadToken = uploadTokens.create(result.id);
      return { body: { uploadSession: { ...result, uploadToken } }, replayed };
    },

    async listMissingBlobs({ params: { uploadSessionId }, uploadSession, now }) {
      assertOpen(uploadSession, now);
      return { uploadSessionId, missingBlobs: await listMissingBlobs(sql, uploadSessionId) };
    },

    async uploadBlob({ caller: { workspaceId }, params, body: request, uploadSession, now }) {
      const { uploadSessionId, sha256 } = params;
      assertOpen(uploadSession, now);
      const { size, mime, present } = await getListedBlob(sql, uploadSessionId, sha256);
      const bytes = verifyBlob(request, { sha256, size });
      // A blob that is already stored is checked all the same: the client must learn that it sent something else.
      if (present) await drain(bytes);
      else await storeFile(store, { workspaceId, sha256, size, mime, now }, bytes);
      const blob = { sha256, size, ...(mime !== null && { mime }) };
      return { uploadSessionId, alreadyPresent: present, blob };
    },

    async commitUploadSession({ caller, params: { uploadSessionId }, body, requestId, now }) {
      const { workspaceId, policy } = caller;
      const commit = { workspaceId, policy, uploadSessionId, body, requestId, now };
      const commitNo = await beginCommit(sql, commit);
      relay.wake();
      const versionId = await waitForCommit(sql, workspaceId, uploadSessionId, commitNo);
      return { deployVersion: await getReadyOrDeletedVersion(sql, workspaceId, versionId) };
    },
  };
}

async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}
