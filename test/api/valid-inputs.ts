import type { OperationId } from '../../contracts/rest/routes.ts';
import { routes } from '../../contracts/rest/routes.ts';
import {
  type ApiTarget,
  type CallInput,
  expectSuccess,
  uniqueSlug,
  unusedIds,
} from './api-fixture.ts';

const sha256 = unusedIds.sha256;

/** A file in the list of an upload session. No test uploads it. */
export const file = { path: 'index.html', sha256, size: 1 };

const bodies: Partial<Record<OperationId, unknown>> = {
  createDeploy: { slug: 'refused', name: 'Refused' },
  updateDeploy: { name: 'Refused' },
  setAlias: { deployVersionId: 'latest' },
  createUploadSession: { deployId: unusedIds.deployId, files: [file] },
  uploadBlob: 'x',
  commitUploadSession: {
    entries: [{ path: 'index.html', blobHash: sha256, size: 1 }],
    render: { route: 'index.html', title: 'Title' },
  },
  createRenderJob: { deployId: unusedIds.deployId },
  rerenderJob: { payload: null },
};

/** The query parameters that operations require. */
export const queries: Partial<Record<OperationId, Readonly<Record<string, string>>>> = {
  listRenderJobs: { deployId: unusedIds.deployId },
};

/** A valid input of each operation, so that a test needs to break only one part. Its ids do not exist. */
export const inputOf = (operation: OperationId) =>
  ({
    params: unusedIds,
    ...(bodies[operation] !== undefined && { body: bodies[operation] }),
    query: queries[operation] ?? {},
    headers: 'uploadToken' in routes[operation] ? { 'X-Upload-Token': 'upt_x' } : {},
  }) satisfies CallInput;

/** Like `inputOf`, but with a real upload session and its token if the operation needs them: the API checks them before the body. */
export async function inputWithSession(
  target: ApiTarget,
  operation: OperationId,
): Promise<CallInput> {
  const input = inputOf(operation);
  if (!('uploadToken' in routes[operation])) return input;
  const body = { createDeploy: { slug: uniqueSlug(), name: 'Session' }, files: [file] };
  const { uploadSession } = await expectSuccess(target, 'createUploadSession', { body });
  return {
    ...input,
    params: { ...input.params, uploadSessionId: uploadSession.id },
    headers: { 'X-Upload-Token': uploadSession.uploadToken },
  };
}
