import type { HttpErrorCode } from '../../errors.ts';
import { type Route, route } from '../route.ts';
import {
  acceptedRenderJobAnswer,
  createRenderJobBody,
  renderJobAnswer,
  renderJobListAnswer,
  renderJobListQuery,
  rerenderBody,
} from '../schemas/render-jobs.ts';
import { signedLink } from './signed-link.ts';

/** Errors of a job that the plan does not allow. */
const renderQuotaErrors = [
  'workspace_pro_required',
  'render_job_quota_exceeded',
  'render_time_quota_exceeded',
  'storage_limit_exceeded',
] as const satisfies readonly HttpErrorCode[];

const linkErrors = [
  'render_job_not_found',
  'output_not_found',
  'output_not_available',
  'storage_unavailable',
] as const satisfies readonly HttpErrorCode[];

/** Render jobs and their outputs (REST 4.3). */
export const renderJobRoutes = {
  createRenderJob: route({
    method: 'post',
    path: '/render-jobs',
    tag: 'Render jobs',
    summary: 'Enqueue a render',
    description:
      'An accepted job is durable and ends exactly once. It keeps the version that `deployVersionId` names at this moment. If you send an `Idempotency-Key`, the same call again returns the same job.',
    body: createRenderJobBody,
    takesPayload: true,
    idempotent: true,
    success: { status: 202, schema: acceptedRenderJobAnswer },
    errors: [
      'deploy_not_found',
      'deploy_version_not_found',
      'alias_not_found',
      'deploy_type_conflict',
      ...renderQuotaErrors,
    ],
  }),
  listRenderJobs: route({
    method: 'get',
    path: '/render-jobs',
    tag: 'Render jobs',
    summary: 'List the jobs of a deploy, newest first',
    description: 'Each job comes with its output, if it has one.',
    query: renderJobListQuery,
    success: { status: 200, schema: renderJobListAnswer },
    errors: ['deploy_not_found', 'invalid_cursor'],
  }),
  getRenderJob: route({
    feature: 'render-jobs',
    method: 'get',
    path: '/render-jobs/{jobId}',
    tag: 'Render jobs',
    summary: 'Get the current state of a job',
    description: 'Poll every 2 to 5 seconds, for batches less often.',
    success: { status: 200, schema: renderJobAnswer },
    errors: ['render_job_not_found'],
  }),
  cancelRenderJob: route({
    method: 'post',
    path: '/render-jobs/{jobId}/cancel',
    tag: 'Render jobs',
    summary: 'Cancel a waiting job',
    description:
      'Only a job that is queued or waits for a retry can be canceled. A job that is rendering runs to its end.',
    success: { status: 200, schema: renderJobAnswer },
    errors: ['render_job_not_found', 'render_job_not_cancelable'],
  }),
  createOutputDownload: route({
    ...signedLink,
    path: '/render-jobs/{jobId}/output-download',
    tag: 'Render jobs',
    summary: 'Get a short-lived link that downloads the PDF',
    description:
      'Everyone who has the link can use it without a key. It expires at `expiresAt`, at the latest together with the output.',
    errors: linkErrors,
  }),
  createOutputPreview: route({
    ...signedLink,
    path: '/render-jobs/{jobId}/output-preview',
    tag: 'Render jobs',
    summary: 'Get a short-lived link that shows the PDF in the browser',
    description: 'Like the download, but the browser shows the PDF.',
    errors: linkErrors,
  }),
  deleteOutput: route({
    method: 'delete',
    path: '/render-jobs/{jobId}/output',
    tag: 'Render jobs',
    summary: 'Delete the output of a job',
    description:
      'Frees its storage. A managed PDF of the job, its links and its storage stay until the PDF is deleted.',
    success: { status: 204 },
    errors: ['render_job_not_found', 'output_not_found', 'render_job_active'],
  }),
  rerenderJob: route({
    method: 'post',
    path: '/render-jobs/{jobId}/rerender',
    tag: 'Render jobs',
    summary: 'Render the same version with the same payload again',
    description:
      'Send the payload again, because we deleted it when the job ended. It must match `payloadHash`.',
    body: rerenderBody,
    takesPayload: true,
    idempotent: true,
    success: { status: 202, schema: acceptedRenderJobAnswer },
    errors: [
      'render_job_not_found',
      'render_job_active',
      'payload_mismatch',
      'deploy_not_found',
      'deploy_version_not_found',
      ...renderQuotaErrors,
    ],
  }),
} as const satisfies Record<string, Route>;
