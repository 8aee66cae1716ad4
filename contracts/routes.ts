import type { z } from 'zod';
import type { HttpErrorCode } from './errors.ts';
import type { PathParameterName } from './ids.ts';
import { aliasListAnswer, aliasSchema, setAliasBody } from './schemas/aliases.ts';
import { linkBody, linkQuery, pageQuery } from './schemas/common.ts';
import {
  createDeployBody,
  deployAnswer,
  deployListAnswer,
  updateDeployBody,
} from './schemas/deploys.ts';
import {
  pdfAnswer,
  pdfListAnswer,
  pdfListQuery,
  permanentLinkAnswer,
  permanentLinkListAnswer,
} from './schemas/pdfs.ts';
import {
  acceptedRenderJobAnswer,
  accessAnswer,
  createRenderJobBody,
  renderJobAnswer,
  renderJobListAnswer,
  renderJobListQuery,
  rerenderBody,
} from './schemas/render-jobs.ts';
import {
  blobAnswer,
  commitBody,
  createUploadSessionBody,
  deployVersionAnswer,
  deployVersionListAnswer,
  missingBlobsAnswer,
  uploadSessionAnswer,
} from './schemas/upload-sessions.ts';
import { usageReportSchema } from './schemas/usage.ts';

/** What a process may be configured without: its routes are defined but answer 501 (REST 7). */
export const features = ['upload-sessions', 'render-jobs'] as const;
export type Feature = (typeof features)[number];

/** How the reference groups the operations, in the order in which a caller meets them. */
export const tags = {
  Deploys:
    'A deploy is a named document: `managed`, with immutable versions that are committed to it, or `url`, a hosted page. Aliases such as `production` point at a version, so that callers need not change.',
  'Upload sessions':
    'Bring files to a managed deploy: create the session, ask what is missing, upload each blob by its SHA-256, commit. The commit is a new version.',
  'Render jobs':
    'A job prints one version with one payload: create it, poll it every 2 to 5 seconds, get a link to its output. The payload is deleted when the job ends.',
  'Managed PDFs':
    'PDFs that are kept until they are deleted, with short-lived signed links and permanent public ones.',
  Usage: 'What the workspace has used in the current bill period, and what its plan allows.',
} as const;

/** One operation of the REST contract. The API, the typed client and the OpenAPI document are all made from these rows. */
export interface Route {
  readonly method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** Path below the base address, with `{name}` for its parameters. */
  readonly path: `/${string}`;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodObject;
  /** A schema for a JSON body, or `bytes` for a raw one. */
  readonly body?: z.ZodType | 'bytes';
  /** The body may be left out; it then reads as `{}`. */
  readonly bodyOptional?: true;
  readonly feature?: Feature;
  readonly idempotent?: true;
  readonly uploadToken?: true;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly schema?: z.ZodType;
    /** Sent with every success. */
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** What the operation itself can answer; `errorsOf` adds what others can too. */
  readonly errors: readonly HttpErrorCode[];
}

const route = <const R extends Route>(row: R): R => row;

/** Every route can answer these. */
const commonErrors: readonly HttpErrorCode[] = [
  'invalid_request',
  'unauthorized',
  // By plain HTTP, where a proxy in front serves HTTPS.
  'forbidden',
  'internal_error',
  'service_unavailable',
];

const idempotencyErrors: readonly HttpErrorCode[] = [
  'idempotency_key_conflict',
  'idempotency_key_in_progress',
];

/** All that a route can answer but success: what is common, what its body adds, and its own. */
export const errorsOf = (route: Route): readonly HttpErrorCode[] => [
  ...new Set([
    ...commonErrors,
    ...(typeof route.body === 'object' ? (['payload_too_large'] as const) : []),
    ...(route.feature ? (['not_implemented'] as const) : []),
    ...(route.idempotent ? idempotencyErrors : []),
    ...route.errors,
  ]),
];

/** A job that the plan does not let in. */
const renderQuotaErrors = [
  'workspace_pro_required',
  'render_job_quota_exceeded',
  'render_time_quota_exceeded',
  'storage_limit_exceeded',
] as const satisfies readonly HttpErrorCode[];

const uploadSessionErrors = [
  'upload_token_missing',
  'upload_token_invalid',
  'upload_session_not_found',
  'upload_session_closed',
  'commit_in_progress',
  'upload_session_expired',
] as const satisfies readonly HttpErrorCode[];

const linkErrors = [
  'render_job_not_found',
  'output_not_found',
  'output_not_available',
  'storage_unavailable',
] as const satisfies readonly HttpErrorCode[];

export const routes = {
  createDeploy: route({
    method: 'post',
    path: '/deploys',
    tag: 'Deploys',
    summary: 'Create a deploy',
    description:
      'A managed deploy is empty until a version is committed; a url deploy renders its `targetUrl`.',
    body: createDeployBody,
    success: { status: 201, schema: deployAnswer },
    errors: ['deploy_slug_conflict', 'workspace_pro_required'],
  }),
  listDeploys: route({
    method: 'get',
    path: '/deploys',
    tag: 'Deploys',
    summary: 'List the deploys of the workspace, newest first',
    description: 'Without the target URL; get a deploy by its id to see it.',
    query: pageQuery,
    success: { status: 200, schema: deployListAnswer },
    errors: ['invalid_cursor'],
  }),
  getDeploy: route({
    method: 'get',
    path: '/deploys/{deployId}',
    tag: 'Deploys',
    summary: 'Get a deploy',
    description: 'Also tells its type, which a deploy keeps for life.',
    success: { status: 200, schema: deployAnswer },
    errors: ['deploy_not_found'],
  }),
  updateDeploy: route({
    method: 'patch',
    path: '/deploys/{deployId}',
    tag: 'Deploys',
    summary: 'Change name, slug or target URL of a deploy',
    description:
      'What is left out stays as it is. Only a url deploy has a `targetUrl`; jobs that were created before keep theirs.',
    body: updateDeployBody,
    success: { status: 200, schema: deployAnswer },
    errors: ['deploy_not_found', 'deploy_slug_conflict', 'deploy_type_conflict'],
  }),
  deleteDeploy: route({
    method: 'delete',
    path: '/deploys/{deployId}',
    tag: 'Deploys',
    summary: 'Delete a deploy and its versions',
    description: 'Jobs that were accepted before still run to their end.',
    success: { status: 204 },
    errors: ['deploy_not_found'],
  }),
  setAlias: route({
    method: 'post',
    path: '/deploys/{deployId}/aliases/{alias}',
    tag: 'Deploys',
    summary: 'Point an alias at a version',
    description: 'Atomic; jobs that were created before keep their version.',
    body: setAliasBody,
    success: { status: 200, schema: aliasSchema },
    errors: ['not_found', 'deploy_not_found', 'deploy_version_not_found', 'deploy_type_conflict'],
  }),
  listAliases: route({
    method: 'get',
    path: '/deploys/{deployId}/aliases',
    tag: 'Deploys',
    summary: 'List the aliases of a deploy, by name',
    description: 'Only managed deploys have any; `latest` is virtual and not listed.',
    query: pageQuery,
    success: { status: 200, schema: aliasListAnswer },
    errors: ['deploy_not_found', 'invalid_cursor'],
  }),
  deleteAlias: route({
    method: 'delete',
    path: '/deploys/{deployId}/aliases/{alias}',
    tag: 'Deploys',
    summary: 'Delete an alias',
    description: 'Jobs that were created by it keep their version.',
    success: { status: 204 },
    errors: ['deploy_not_found', 'alias_not_found', 'not_found'],
  }),
  listDeployVersions: route({
    method: 'get',
    path: '/deploys/{deployId}/versions',
    tag: 'Deploys',
    summary: 'List the versions of a deploy, newest first',
    description: 'Deleted versions are not listed.',
    query: pageQuery,
    success: { status: 200, schema: deployVersionListAnswer },
    errors: ['deploy_not_found', 'invalid_cursor'],
  }),
  getDeployVersion: route({
    method: 'get',
    path: '/deploys/{deployId}/versions/{versionId}',
    tag: 'Deploys',
    summary: 'Get a version',
    description: 'What a commit answered: its number, route, title and hashes.',
    success: { status: 200, schema: deployVersionAnswer },
    errors: ['deploy_not_found', 'deploy_version_not_found'],
  }),
  deleteDeployVersion: route({
    method: 'delete',
    path: '/deploys/{deployId}/versions/{versionId}',
    tag: 'Deploys',
    summary: 'Delete a version and free its storage',
    description:
      'Its number is never used again. Jobs that were accepted before still run to their end.',
    success: { status: 204 },
    errors: ['deploy_not_found', 'deploy_version_not_found', 'version_in_use'],
  }),
  createUploadSession: route({
    feature: 'upload-sessions',
    method: 'post',
    path: '/upload-sessions',
    tag: 'Upload sessions',
    summary: 'Begin an upload',
    description:
      'Lists the files that will come, by path, SHA-256 and size. The session lives until `expiresAt`; every call on it needs its `uploadToken`.',
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
    description: 'Files that the workspace has stored before need not be sent again.',
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
      'The raw bytes; stored only when they have the sha256 and size that the session lists.',
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
    description: 'The same commit again within 24 hours gives the same version.',
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
  createRenderJob: route({
    method: 'post',
    path: '/render-jobs',
    tag: 'Render jobs',
    summary: 'Enqueue a render',
    description:
      'Accepted is durable: the job runs to exactly one end. It keeps the version that `deployVersionId` names at this moment. Send an `Idempotency-Key`, and the same call again gives the same job.',
    body: createRenderJobBody,
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
    description: 'Each with its output, where it has one.',
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
    description: 'Poll every 2 to 5 seconds, longer for batches.',
    success: { status: 200, schema: renderJobAnswer },
    errors: ['render_job_not_found'],
  }),
  cancelRenderJob: route({
    method: 'post',
    path: '/render-jobs/{jobId}/cancel',
    tag: 'Render jobs',
    summary: 'Cancel a job that waits',
    description:
      'Only a job that is queued or waits for a retry; one that renders runs to its end.',
    success: { status: 200, schema: renderJobAnswer },
    errors: ['render_job_not_found', 'render_job_not_cancelable'],
  }),
  createOutputDownload: route({
    method: 'post',
    path: '/render-jobs/{jobId}/output-download',
    tag: 'Render jobs',
    summary: 'Get a short-lived link that downloads the PDF',
    description: 'The link needs no key and is for whoever holds it. It ends at `expiresAt`.',
    query: linkQuery,
    body: linkBody,
    bodyOptional: true,
    success: { status: 200, schema: accessAnswer },
    errors: linkErrors,
  }),
  createOutputPreview: route({
    method: 'post',
    path: '/render-jobs/{jobId}/output-preview',
    tag: 'Render jobs',
    summary: 'Get a short-lived link that shows the PDF in the browser',
    description: 'As the download, but shown inline.',
    query: linkQuery,
    body: linkBody,
    bodyOptional: true,
    success: { status: 200, schema: accessAnswer },
    errors: linkErrors,
  }),
  deleteOutput: route({
    method: 'delete',
    path: '/render-jobs/{jobId}/output',
    tag: 'Render jobs',
    summary: 'Delete the output of a job',
    description: 'A managed PDF of the job stays until it is deleted itself.',
    success: { status: 204 },
    errors: ['render_job_not_found', 'output_not_found', 'render_job_active'],
  }),
  rerenderJob: route({
    method: 'post',
    path: '/render-jobs/{jobId}/rerender',
    tag: 'Render jobs',
    summary: 'Render the same version with the same payload again',
    description:
      'The payload is given again, because it was deleted with the end of the job, and checked against `payloadHash`.',
    body: rerenderBody,
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
  listPdfs: route({
    method: 'get',
    path: '/pdfs',
    tag: 'Managed PDFs',
    summary: 'List the managed PDFs of the workspace, newest first',
    description: 'The filters add up.',
    query: pdfListQuery,
    success: { status: 200, schema: pdfListAnswer },
    errors: ['invalid_cursor'],
  }),
  getPdf: route({
    method: 'get',
    path: '/pdfs/{pdfId}',
    tag: 'Managed PDFs',
    summary: 'Get a managed PDF',
    description: 'Also tells which job, version and key it comes from.',
    success: { status: 200, schema: pdfAnswer },
    errors: ['pdf_not_found'],
  }),
  deletePdf: route({
    method: 'delete',
    path: '/pdfs/{pdfId}',
    tag: 'Managed PDFs',
    summary: 'Delete a managed PDF; its permanent links end with it',
    description: 'The output of its job stays until it is deleted itself.',
    success: { status: 204 },
    errors: ['pdf_not_found'],
  }),
  createPdfDownload: route({
    method: 'post',
    path: '/pdfs/{pdfId}/download',
    tag: 'Managed PDFs',
    summary: 'Get a short-lived link that downloads the PDF',
    description: 'The link needs no key and is for whoever holds it. It ends at `expiresAt`.',
    query: linkQuery,
    body: linkBody,
    bodyOptional: true,
    success: { status: 200, schema: accessAnswer },
    errors: ['pdf_not_found', 'storage_unavailable'],
  }),
  createPdfPreview: route({
    method: 'post',
    path: '/pdfs/{pdfId}/preview',
    tag: 'Managed PDFs',
    summary: 'Get a short-lived link that shows the PDF in the browser',
    description: 'As the download, but shown inline.',
    query: linkQuery,
    body: linkBody,
    bodyOptional: true,
    success: { status: 200, schema: accessAnswer },
    errors: ['pdf_not_found', 'storage_unavailable'],
  }),
  listPermanentLinks: route({
    method: 'get',
    path: '/pdfs/{pdfId}/permanent-links',
    tag: 'Managed PDFs',
    summary: 'List the active permanent links of a PDF',
    description: 'Deleted links are not listed.',
    success: { status: 200, schema: permanentLinkListAnswer },
    errors: ['pdf_not_found'],
  }),
  createPermanentLink: route({
    method: 'post',
    path: '/pdfs/{pdfId}/permanent-links',
    tag: 'Managed PDFs',
    summary: 'Create a public link that lives until it or the PDF is deleted',
    description: 'Whoever has the `url` can download the PDF. Each call creates another link.',
    success: { status: 201, schema: permanentLinkAnswer },
    errors: ['pdf_not_found'],
  }),
  deletePermanentLink: route({
    method: 'delete',
    path: '/pdfs/{pdfId}/permanent-links/{linkId}',
    tag: 'Managed PDFs',
    summary: 'Delete a permanent link; it is dead at once',
    description: 'Other links to the PDF stay.',
    success: { status: 204 },
    errors: ['pdf_not_found', 'permanent_link_not_found'],
  }),

  getUsage: route({
    method: 'get',
    path: '/usage',
    tag: 'Usage',
    summary: 'Usage and limits of the workspace in the current bill period',
    description:
      'A bill period is a calendar month in UTC. `policy` has the limits of the plan; `null` means unlimited.',
    success: {
      status: 200,
      schema: usageReportSchema,
      headers: { 'Cache-Control': 'private, no-store' },
    },
    errors: [],
  }),
} as const satisfies Record<string, Route>;

export type Routes = typeof routes;
export type OperationId = keyof Routes;

/** Names of the `{parameters}` in a path. */
export type PathParametersOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParametersOf<Rest>
  : never;

/** The parameters of a path, in order; each has a row in `pathParameters`. */
export const pathParametersOf = (path: string): PathParameterName[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParameterName);
