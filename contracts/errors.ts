/**
 * The one catalogue of errors (REST 7). HTTP answers, workflow failures, the OpenAPI document and the table in the docs
 * all read these rows. `ErrorRow` explains their fields.
 */
const catalogue = {
  invalid_request: row(
    400,
    false,
    'The request is not valid: correct it as the message says and send it again.',
  ),
  invalid_cursor: row(
    400,
    false,
    'The cursor is not one that this list returned: start again without a cursor.',
  ),
  payload_too_large: row(400, false, 'The body is larger than this route accepts: send less.'),
  blob_hash_mismatch: row(
    400,
    false,
    'The bytes do not have the sha256 and size that the session lists: send the file as it was listed.',
  ),
  blob_too_large: row(
    400,
    false,
    'The file is larger than the largest file that may be uploaded: make it smaller.',
  ),
  upload_session_policy_limit_exceeded: row(
    400,
    false,
    'The upload has more files or bytes than the plan allows: upload less or change the plan.',
  ),
  deploy_commit_policy_limit_exceeded: row(
    400,
    false,
    'The version has more files or bytes than the plan allows in one commit: commit less or change the plan.',
  ),

  unauthorized: row(
    401,
    false,
    'Send a valid API key in the header Authorization: Bearer <API_KEY>.',
  ),
  upload_token_missing: row(
    401,
    false,
    'Send the upload token of this session in the header X-Upload-Token.',
  ),

  forbidden: row(
    403,
    false,
    'You are not permitted to do that: call over HTTPS, or ask an owner of the workspace to do it.',
  ),
  upload_token_invalid: row(
    403,
    false,
    'The upload token does not belong to this session: use the token that its creation returned.',
  ),
  workspace_pro_required: row(
    403,
    false,
    'The plan of this workspace does not include that: change to the higher plan.',
  ),
  workspace_member_limit_exceeded: row(
    403,
    false,
    'The workspace has as many members as its plan allows: remove one or change the plan.',
  ),
  workspace_blank_plan_limit_exceeded: row(
    403,
    false,
    'A user can own only one workspace on the plan blank: change the plan of one of them.',
  ),
  workspace_blank_plan_requires_pro: row(
    403,
    false,
    'The plan blank has no billing: change to the higher plan.',
  ),

  deploy_commit_quota_exceeded: row(
    403,
    false,
    'The workspace has used up its deploy commits of this month: commit next month or change the plan.',
  ),
  render_job_quota_exceeded: row(
    403,
    false,
    'The workspace has used up its render jobs of this month: render next month or change the plan.',
  ),
  render_time_quota_exceeded: row(
    403,
    false,
    'The workspace has used up its render time of this month: render next month or change the plan.',
    { endsJobs: true },
  ),
  storage_limit_exceeded: row(
    403,
    false,
    'The storage of the workspace is full: delete versions, outputs or managed PDFs, or change the plan.',
    { endsJobs: true },
  ),

  workspace_not_found: row(404, false, 'The workspace does not exist: check its id.'),
  person_not_found: row(404, false, 'The user does not exist: check the id.'),
  member_not_found: row(404, false, 'The workspace has no such member: check the id of the user.'),
  invitation_not_found: row(
    404,
    false,
    'The invitation does not exist, was used or revoked, or has expired: ask for a new one.',
  ),
  api_key_not_found: row(404, false, 'The API key does not exist or was revoked: check its id.'),
  sign_in_link_not_found: row(
    404,
    false,
    'The link was used already or has expired: sign in by password, or ask for a new link.',
  ),
  not_found: row(404, false, 'There is nothing at this address: check the path and the method.'),
  deploy_not_found: row(404, false, 'The deploy does not exist or was deleted: check its id.'),
  deploy_version_not_found: row(
    404,
    false,
    'The deploy has no such version: check the id, or commit a version first.',
  ),
  alias_not_found: row(
    404,
    false,
    'The deploy has no such alias: point the alias at a version first.',
  ),
  upload_session_not_found: row(404, false, 'The upload session does not exist: check its id.'),
  blob_not_in_session: row(
    404,
    false,
    'The upload session does not list this sha256: upload only the files that it lists.',
  ),
  render_job_not_found: row(404, false, 'The render job does not exist: check its id.'),
  output_not_found: row(
    404,
    false,
    'The job has no output, or it was deleted: render the document again.',
  ),

  pdf_not_found: row(404, false, 'The managed PDF does not exist or was deleted: check its id.'),
  permanent_link_not_found: row(
    404,
    false,
    'The permanent link does not exist or was deleted: create a new one.',
  ),
  webhook_endpoint_not_found: row(
    404,
    false,
    'The webhook endpoint does not exist or was deleted: check its id.',
  ),
  webhook_delivery_not_found: row(
    404,
    false,
    'The webhook delivery does not exist or is older than the log: check its id.',
  ),

  deploy_slug_conflict: row(
    409,
    false,
    'Another deploy of this workspace uses the slug: choose another.',
  ),
  deploy_type_conflict: row(
    409,
    false,
    'A deploy of this type does not support the call: check the field type of the deploy.',
  ),
  idempotency_key_conflict: row(
    409,
    false,
    'The Idempotency-Key was used with another body: use a new key for a new request.',
  ),
  idempotency_key_in_progress: row(
    409,
    true,
    'The first call with this Idempotency-Key has not ended yet: send the same call again shortly.',
  ),
  upload_incomplete: row(
    409,
    false,
    'The commit names files that were not uploaded: upload what missing-blobs lists, then commit again.',
  ),
  upload_session_closed: row(
    409,
    false,
    'The upload session was already committed with other content: create a new session.',
  ),
  commit_in_progress: row(
    409,
    true,
    'The commit is still running: send the same call again after Retry-After seconds.',
  ),
  render_job_not_cancelable: row(
    409,
    false,
    'Only a queued or retry-scheduled job can be canceled: this one is rendering or has ended.',
  ),
  output_not_available: row(
    409,
    true,
    'The job has not ended yet: poll it, and ask again once it has succeeded.',
  ),

  account_exists: row(
    409,
    false,
    'An account with this e-mail address exists already: sign in, then open the invitation again.',
  ),
  workspace_needs_owner: row(
    409,
    false,
    'This is the last owner of the workspace: make another member an owner first.',
  ),

  version_in_use: row(
    409,
    false,
    'An alias points at the version: point the alias at another version or delete the alias first.',
  ),
  render_job_active: row(
    409,
    true,
    'The job has not ended yet: poll it, and ask again once it has ended.',
  ),
  webhook_endpoint_disabled: row(
    409,
    false,
    'The webhook endpoint is disabled: enable it, then send again.',
  ),
  webhook_endpoint_limit_exceeded: row(
    409,
    false,
    'The workspace has the largest allowed number of webhook endpoints: delete one first.',
  ),
  payload_mismatch: row(
    409,
    false,
    'The payload differs from that of the job: send the same payload, or create a new job.',
  ),

  upload_session_expired: row(
    410,
    false,
    'The upload session has expired: create a new one. Files that were uploaded already need not be sent again.',
  ),

  internal_error: row(
    500,
    true,
    'Something failed on our side. Send the call again; if it keeps failing, tell us the X-Request-Id.',
  ),
  not_implemented: row(
    501,
    false,
    'This process is configured without that feature: ask an operator of the service to enable it.',
  ),
  service_unavailable: row(
    503,
    true,
    'The service cannot handle the call right now: send the same call again shortly.',
  ),
  storage_unavailable: row(
    503,
    true,
    'The file storage does not respond right now: send the same call again shortly.',
  ),

  render_failed: row(
    null,
    false,
    'The document could not be rendered: correct what the message and the log of the job say, then render it again.',
  ),
  navigation_timeout: row(
    null,
    true,
    'The page took too long to load: render it again; if that fails too, make its files and scripts load faster.',
    { retries: 1 },
  ),
  render_crashed: row(
    null,
    true,
    'The rendering browser crashed: render it again; if that fails too, make the document simpler.',
    { retries: 2 },
  ),
  render_timeout_exceeded: row(
    null,
    false,
    'The render exceeded the time limit of its version or plan: make the document faster, commit it with a longer renderTimeoutMs, or change the plan.',
  ),
  render_output_too_large: row(
    null,
    false,
    'The PDF is larger than the plan allows: print fewer pages or smaller images, or change the plan.',
  ),
} as const;

export type ErrorCode = keyof typeof catalogue;
/** Statuses of the catalogue: no answer has another error status. */
export type ErrorStatus = NonNullable<(typeof catalogue)[ErrorCode]['status']>;

export interface ErrorRow {
  /** HTTP status of the answer. Null: the code appears only as the `errorCode` of a job. */
  readonly status: ErrorStatus | null;
  /** True if the same call, unchanged, can succeed later. */
  readonly retryable: boolean;
  /** The default sentence. It says what happened and what to do. */
  readonly message: string;
  /** True if the code can be the `errorCode` of a job. */
  readonly endsJobs: boolean;
  /** How often a job that failed with this code is rendered again. The client is charged with each of these attempts. */
  readonly retries: number;
}

/** Codes that a failed job may carry in `errorCode` (REST 2.6). v1 lists them, so no new one may come. */
export type JobErrorCode = {
  [C in ErrorCode]: (typeof catalogue)[C]['endsJobs'] extends true ? C : never;
}[ErrorCode];
/** Codes that an HTTP answer may carry in `error` (REST 7). */
export type HttpErrorCode = {
  [C in ErrorCode]: (typeof catalogue)[C]['status'] extends number ? C : never;
}[ErrorCode];

export const errors: Readonly<Record<ErrorCode, ErrorRow>> = catalogue;

export const jobErrorCodes = Object.keys(catalogue).filter(
  (code): code is JobErrorCode => errors[code as ErrorCode].endsJobs,
);

/** True if the answer has a Retry-After: the same call, unchanged, can succeed shortly. */
export const sendsRetryAfter = (code: ErrorCode): boolean =>
  errors[code].retryable && errors[code].status !== 500;

/** Most causes are over by then: a process that restarts, a transaction, a page that is being printed. */
const usualRetryAfterSeconds = 1;

export interface ServiceErrorOptions extends ErrorOptions {
  /** Seconds for the header Retry-After, if longer than usual. */
  readonly retryAfterSeconds?: number;
}

/**
 * The one error that the service throws on purpose. Its code and message are public. Its cause is private: it is logged and
 * never sent.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string = errors[code].message,
    options: ServiceErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.retryAfterSeconds =
      options.retryAfterSeconds ?? (sendsRetryAfter(code) ? usualRetryAfterSeconds : undefined);
  }

  /** HTTP status of the answer (REST 7). */
  get status(): ErrorStatus {
    return errors[this.code].status ?? 500;
  }
}

function row<
  const S extends number | null,
  const J extends boolean = S extends null ? true : false,
>(
  status: S,
  retryable: boolean,
  message: string,
  { endsJobs = (status === null) as J, retries = 0 }: { endsJobs?: J; retries?: number } = {},
) {
  return { status, retryable, message, endsJobs, retries } as const;
}
