import type { Router } from 'express';
import { routes } from '../../contracts/rest/routes.ts';
import { createOnce } from '../../store/database/idempotency.ts';
import { beginCommit } from '../../store/deploys/commits.ts';
import { getReadyOrDeletedVersion } from '../../store/deploys/deploy-versions.ts';
import { getListedBlob, listMissingBlobs } from '../../store/deploys/session-files.ts';
import { storeFile } from '../../store/deploys/store-file.ts';
import { assertOpen, createUploadSession } from '../../store/deploys/upload-sessions.ts';
import type { ApiContext } from '../context.ts';
import { mount } from '../endpoint.ts';
import { verifyBlob } from '../verify-blob.ts';
import { waitForCommit } from '../wait-for-commit.ts';

/** Upload sessions (REST 4.2). */
export function mountUploadSessions(router: Router, context: ApiContext): void {
  const { config, store, relay } = context;
  const { sql, uploadTokens } = store;

  mount(
    router,
    context,
    routes.createUploadSession,
    async ({ caller, body, idempotencyKey, now }) => {
      const { workspaceId, policy } = caller;
      const call = { workspaceId, route: 'createUploadSession', key: idempotencyKey, body, now };
      const { result, replayed } = await createOnce(sql, call, (tx) =>
        createUploadSession(tx, {
          workspaceId,
          policy,
          body,
          ttlMs: config.uploadSessionTtlMs,
          now,
        }),
      );
      return {
        body: { uploadSession: { ...result, uploadToken: uploadTokens.create(result.id) } },
        replayed,
      };
    },
  );

  mount(
    router,
    context,
    routes.listMissingBlobs,
    async ({ params: { uploadSessionId }, uploadSession, now }) => {
      assertOpen(uploadSession, now);
      return {
        body: { uploadSessionId, missingBlobs: await listMissingBlobs(sql, uploadSessionId) },
      };
    },
  );

  mount(
    router,
    context,
    routes.uploadBlob,
    async ({ caller, params, body: request, uploadSession, now }) => {
      const { workspaceId } = caller;
      const { uploadSessionId, sha256 } = params;
      assertOpen(uploadSession, now);
      const { size, mime, present } = await getListedBlob(sql, uploadSessionId, sha256);
      const bytes = verifyBlob(request, { sha256, size });
      // Also what is not needed is looked at: a client that sent something else has to learn of it.
      if (present) await drain(bytes);
      else await storeFile(store, { workspaceId, sha256, size, mime, now }, bytes);
      return {
        body: {
          uploadSessionId,
          alreadyPresent: present,
          blob: { sha256, size, ...(mime !== null && { mime }) },
        },
      };
    },
  );

  mount(
    router,
    context,
    routes.commitUploadSession,
    async ({ caller, params, body, requestId, now }) => {
      const { workspaceId, policy } = caller;
      const { uploadSessionId } = params;
      const commitNo = await beginCommit(sql, {
        workspaceId,
        policy,
        uploadSessionId,
        body,
        requestId,
        now,
      });
      relay.wake();
      const versionId = await waitForCommit(sql, workspaceId, uploadSessionId, commitNo);
      return {
        body: { deployVersion: await getReadyOrDeletedVersion(sql, workspaceId, versionId) },
      };
    },
  );
}

async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}
