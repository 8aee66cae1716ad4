import type { HttpErrorCode } from '../../errors.ts';
import { type Route, route } from '../route.ts';
import { commitBody } from '../schemas/commits.ts';
import {
  blobAnswer,
  createUploadSessionBody,
  missingBlobsAnswer,
  uploadSessionAnswer,
} from '../schemas/upload-sessions.ts';
import { deployVersionAnswer } from '../schemas/versions.ts';

const uploadSessionErrors = [
  'upload_token_missing',
  'upload_token_invalid',
  'upload_session_not_found',
  'upload_session_closed',
  'commit_in_progress',
  'upload_session_expired',
] as const satisfies readonly HttpErrorCode[];

/** Upload sessions (REST 4.2). */
export const uploadSessionRoutes = {
  createUploadSession: route({
    feature: 'upload-sessions',
    method: 'post',
    path: '/upload-sessions',
    tag: 'Upload sessions',
    summary: 'Start an upload',
    description:
      'Lists the files of the upload by path, SHA-256 and size. The session expires at `expiresAt`. Every call on it needs its `uploadToken`.',
    body: createUploadSessionBody,
    idempotent: true,
    success: { status: 201, schema: uploadSessionAnswer },
    errors: [
      'deploy_not_found',
      'deploy_slug_conflict',
      'deploy_type_conflict',
      'upload_session_policy_limit_exceeded',
    ],
  }),
  listMissingBlobs: route({
    feature: 'upload-sessions',
    method: 'post',
    path: '/upload-sessions/{uploadSessionId}/missing-blobs',
    tag: 'Upload sessions',
    summary: 'List the files of the session that are not stored yet',
    description: 'Files that the workspace has already stored need not be sent again.',
    uploadToken: true,
    success: { status: 200, schema: missingBlobsAnswer },
    errors: uploadSessionErrors,
  }),
  uploadBlob: route({
    method: 'put',
    path: '/upload-sessions/{uploadSessionId}/blobs/{sha256}',
    tag: 'Upload sessions',
    summary: 'Upload one file',
    description:
      'Send the raw bytes. They are stored only if they have the sha256 and size that the session lists.',
    uploadToken: true,
    body: 'bytes',
    success: { status: 200, schema: blobAnswer },
    errors: [
      ...uploadSessionErrors,
      'blob_not_in_session',
      'blob_hash_mismatch',
      'blob_too_large',
      'storage_unavailable',
    ],
  }),
  commitUploadSession: route({
    feature: 'upload-sessions',
    method: 'post',
    path: '/upload-sessions/{uploadSessionId}/commit',
    tag: 'Upload sessions',
    summary: 'Publish the uploaded files as an immutable version',
    description: 'The same commit again within 24 hours returns the same version.',
    uploadToken: true,
    body: commitBody,
    success: { status: 200, schema: deployVersionAnswer },
    errors: [
      ...uploadSessionErrors,
      'deploy_not_found',
      'blob_not_in_session',
      'upload_incomplete',
      'deploy_commit_policy_limit_exceeded',
      'deploy_commit_quota_exceeded',
      'storage_limit_exceeded',
    ],
  }),
} as const satisfies Record<string, Route>;
