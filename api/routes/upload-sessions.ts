import { setTimeout as sleep } from 'node:timers/promises';
import type { Router } from 'express';
import { ServiceError } from '../../contracts/errors.ts';
import { commitRetryAfterSeconds, commitWaitMs } from '../../contracts/limits.ts';
import { rawMime } from '../../contracts/route.ts';
import { routes } from '../../contracts/routes.ts';
import { takeBackDeletion } from '../../store/blobs/blob-deletions.ts';
import { blobKeys } from '../../store/blobs/blobs.ts';
import { beginCommit } from '../../store/deploys/commits.ts';
import { getDeployVersion } from '../../store/deploys/deploy-versions.ts';
import {
  assertOpen,
  createUploadSession,
  getListedBlob,
  getUploadSession,
  listMissingBlobs,
  recordBlob,
  type UploadSessionState,
} from '../../store/deploys/upload-sessions.ts';
import { createOnce } from '../../store/idempotency.ts';
import type { ApiContext } from '../context.ts';
import { mount } from '../endpoint.ts';
import { verifyBlob } from '../verify-blob.ts';

/** Between the looks at a commit that runs: soon at first, then less often. */
const firstLookMs = 20;
const longestLookMs = 250;

/** Upload sessions (REST 4.2). */
export function mountUploadSessions(router: Router, context: ApiContext): void {
  const { config, store, relay } = context;
  const { sql, blobs, uploadTokens } = store;

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

  /** The session, once key and token are shown to be its own. */
  const authorize = async (
    workspaceId: string,
    id: string,
    token: string,
  ): Promise<UploadSessionState> => {
    const session = await getUploadSession(sql, workspaceId, id);
    if (!uploadTokens.isValid(id, token)) throw new ServiceError('upload_token_invalid');
    return session;
  };

  mount(
    router,
    context,
    routes.listMissingBlobs,
    async ({ caller, params: { uploadSessionId }, uploadToken, now }) => {
      assertOpen(await authorize(caller.workspaceId, uploadSessionId, uploadToken), now);
      return {
        body: { uploadSessionId, missingBlobs: await listMissingBlobs(sql, uploadSessionId) },
      };
    },
  );

  mount(
    router,
    context,
    routes.uploadBlob,
    async ({ caller, params, body: request, uploadToken, now }) => {
      const { workspaceId } = caller;
      const { uploadSessionId, sha256 } = params;
      assertOpen(await authorize(workspaceId, uploadSessionId, uploadToken), now);
      const { size, mime, present } = await getListedBlob(sql, uploadSessionId, sha256);
      const bytes = verifyBlob(request, { sha256, size });
      // Also what is not needed is looked at: a client that sent something else has to learn of it.
      if (present) await drain(bytes);
      else {
        const key = blobKeys.file(workspaceId, sha256);
        await takeBackDeletion(sql, key, now);
        await blobs.write(key, bytes, rawMime);
        await recordBlob(sql, { workspaceId, sha256, size, mime, createdAt: now });
      }
      return {
        body: {
          uploadSessionId,
          alreadyPresent: present,
          blob: { sha256, size, ...(mime !== null && { mime }) },
        },
      };
    },
  );

  /** Waits for the commit's workflow; a request that waits too long asks its client to call again. */
  const untilCommitted = async (
    workspaceId: string,
    id: string,
    commitNo: number,
  ): Promise<string> => {
    const deadline = Date.now() + commitWaitMs;
    for (
      let pauseMs = firstLookMs;
      Date.now() < deadline;
      pauseMs = Math.min(2 * pauseMs, longestLookMs)
    ) {
      const session = await getUploadSession(sql, workspaceId, id);
      // Another commit has begun since: this one failed, and what is published now is not what it asked for.
      if (session.commitNo !== commitNo) break;
      if (session.deployVersionId !== null) return session.deployVersionId;
      const { status, commitError } = session;
      if (status !== 'committing' && commitError)
        throw new ServiceError(commitError.code, commitError.message);
      await sleep(pauseMs);
    }
    throw new ServiceError('commit_in_progress', undefined, {
      retryAfterSeconds: commitRetryAfterSeconds,
    });
  };

  mount(
    router,
    context,
    routes.commitUploadSession,
    async ({ caller, params, body, uploadToken, requestId, now }) => {
      const { workspaceId, policy } = caller;
      const { uploadSessionId: sessionId } = params;
      await authorize(workspaceId, sessionId, uploadToken);
      const commitNo = await beginCommit(sql, {
        workspaceId,
        policy,
        sessionId,
        body,
        requestId,
        now,
      });
      relay.wake();
      const versionId = await untilCommitted(workspaceId, sessionId, commitNo);
      return { body: { deployVersion: await getDeployVersion(sql, workspaceId, versionId) } };
    },
  );
}

async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}
