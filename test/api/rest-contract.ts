/**
 * Statuses and codes of the contract, copied from its text by hand. They must not be made from our code. Where the contract
 * leaves a status open, these tables have the one that the service chose.
 */

/**
 * The statuses that each endpoint must declare and answer: those that REST 4 lists for it, and those of every endpoint (REST 5 and
 * 7). A route may have more.
 */
export const contractedStatuses: Readonly<Record<string, readonly number[]>> = {
  'POST /deploys': [201, 401, 409, 500],
  'PATCH /deploys/{deployId}': [200, 401, 404, 409, 500],
  'GET /deploys': [200, 401, 500],
  'POST /deploys/{deployId}/aliases/{alias}': [200, 401, 404, 500],
  'POST /upload-sessions': [201, 400, 401, 409, 500, 501],
  'POST /upload-sessions/{uploadSessionId}/missing-blobs': [200, 401, 403, 404, 409, 410, 500, 501],
  'PUT /upload-sessions/{uploadSessionId}/blobs/{sha256}': [200, 400, 401, 403, 404, 409, 410, 500],
  'POST /upload-sessions/{uploadSessionId}/commit': [200, 400, 401, 403, 404, 409, 410, 500, 501],
  'POST /render-jobs': [202, 400, 401, 404, 409, 500],
  'GET /render-jobs': [200, 401, 404, 500],
  'GET /render-jobs/{jobId}': [200, 401, 404, 500, 501],
  'POST /render-jobs/{jobId}/cancel': [200, 401, 404, 409, 500],
  'POST /render-jobs/{jobId}/output-download': [200, 401, 404, 409, 500, 503],
  'POST /render-jobs/{jobId}/output-preview': [200, 401, 404, 409, 500, 503],
  'DELETE /render-jobs/{jobId}/output': [204, 401, 404, 409, 500],
  'GET /pdfs': [200, 401, 500],
  'GET /pdfs/{pdfId}': [200, 401, 404, 500],
  'DELETE /pdfs/{pdfId}': [204, 401, 404, 500],
  'POST /pdfs/{pdfId}/download': [200, 400, 401, 404, 500, 503],
  'POST /pdfs/{pdfId}/preview': [200, 400, 401, 404, 500, 503],
  'GET /pdfs/{pdfId}/permanent-links': [200, 401, 404, 500, 503],
  'POST /pdfs/{pdfId}/permanent-links': [201, 401, 404, 500, 503],
  'DELETE /pdfs/{pdfId}/permanent-links/{linkId}': [204, 401, 404, 500],
  'GET /usage': [200, 401, 500],
};

/** The codes that REST 7 names, with their status. Null means that only failed jobs have the code. */
export const contractedCodes: Readonly<Record<string, number | null>> = {
  deploy_not_found: 404,
  deploy_slug_conflict: 409,
  render_failed: null,
  navigation_timeout: null,
  render_crashed: null,
  render_timeout_exceeded: null,
  deploy_commit_quota_exceeded: 403,
  render_job_quota_exceeded: 403,
  render_time_quota_exceeded: 403,
  storage_limit_exceeded: 403,
  workspace_pro_required: 403,
  workspace_blank_plan_limit_exceeded: 403,
  workspace_blank_plan_requires_pro: 403,
  workspace_member_limit_exceeded: 403,
  deploy_commit_policy_limit_exceeded: 400,
  upload_session_policy_limit_exceeded: 400,
};
