-- Times are Unix epoch milliseconds, as in the REST contract. Ids sort by creation in the C collation.

create table workspaces (
  id            text collate "C" primary key,
  name          text not null,
  plan          text not null,
  -- The number of admitted jobs, which the plan's concurrency ceiling limits. It is changed only under this row's lock, in
  -- the transaction that changes the job.
  admitted_jobs integer not null default 0 check (admitted_jobs >= 0),
  created_at    bigint not null
);

create table api_keys (
  id           text collate "C" primary key,
  workspace_id text not null references workspaces,
  name         text not null,
  -- SHA-256 of the key; the key itself is shown once and never stored.
  key_hash     bytea not null unique,
  created_at   bigint not null,
  revoked_at   bigint
);

create table deploys (
  id              text collate "C" primary key,
  workspace_id    text not null references workspaces,
  slug            text not null,
  name            text not null,
  type            text not null check (type in ('managed', 'url')),
  target_url      text check ((type = 'url') = (target_url is not null)),
  -- Made for one render by an upload session with temporaryRender.
  temporary       boolean not null default false,
  last_version_no integer not null default 0,
  created_at      bigint not null,
  deleted_at      bigint
);
create unique index deploys_slug on deploys (workspace_id, slug) where deleted_at is null;
create index deploys_list on deploys (workspace_id, id desc) where deleted_at is null;

create table deploy_versions (
  id                text collate "C" primary key,
  workspace_id      text not null references workspaces,
  deploy_id         text not null references deploys,
  version_no        integer not null,
  tree_hash         text not null,
  render_index_key  text not null,
  render_pack_key   text not null,
  route             text not null,
  title             text not null,
  render_timeout_ms bigint,
  metadata          jsonb,
  file_count        integer not null,
  bytes             bigint not null,
  status            text not null default 'ready' check (status in ('ready', 'deleted')),
  created_at        bigint not null,
  deleted_at        bigint,
  unique (deploy_id, version_no)
);
create index deploy_versions_tree on deploy_versions (workspace_id, tree_hash) where status = 'ready';

-- The files of a version. While a row exists, its blob is kept.
create table deploy_version_files (
  deploy_version_id text not null references deploy_versions,
  path              text collate "C" not null,
  sha256            text not null,
  size              bigint not null,
  mime              text,
  primary key (deploy_version_id, path)
);

create table deploy_aliases (
  deploy_id         text not null references deploys,
  alias             text not null,
  -- A version id, or 'latest'.
  deploy_version_id text not null,
  updated_at        bigint not null,
  primary key (deploy_id, alias)
);

-- The target of a url deploy when a job was created. Its id is the job's deploy_version_id.
create table deploy_url_snapshots (
  id         text collate "C" primary key,
  deploy_id  text not null references deploys,
  target_url text not null,
  created_at bigint not null,
  unique (deploy_id, target_url)
);

create table blobs (
  workspace_id text not null references workspaces,
  sha256       text not null,
  size         bigint not null,
  mime         text,
  created_at   bigint not null,
  primary key (workspace_id, sha256)
);

create table upload_sessions (
  id                   text collate "C" primary key,
  workspace_id         text not null references workspaces,
  deploy_id            text not null references deploys,
  status               text not null default 'open' check (status in ('open', 'committing', 'committed', 'expired')),
  temporary_render     boolean not null,
  requested_file_count integer not null,
  requested_bytes      bigint not null,
  created_at           bigint not null,
  expires_at           bigint not null,
  -- The number of the latest commit. It is part of the workflow's id.
  commit_no            integer not null default 0,
  commit_hash          text,
  -- Entries and render options of the commit. They are not in the workflow's history, which is limited to 2 MB.
  commit_body          jsonb,
  commit_request_id    text,
  commit_error         jsonb,
  deploy_version_id    text references deploy_versions,
  committed_at         bigint
);

create table upload_session_files (
  upload_session_id text not null references upload_sessions,
  path              text collate "C" not null,
  sha256            text not null,
  size              bigint not null,
  mime              text,
  primary key (upload_session_id, path)
);
create index upload_session_files_sha256 on upload_session_files (upload_session_id, sha256);

create table render_jobs (
  id                 text collate "C" primary key,
  workspace_id       text not null references workspaces,
  deploy_id          text not null references deploys,
  -- Id of a row of deploy_versions or, for a url deploy, of deploy_url_snapshots.
  deploy_version_id  text not null,
  target_url         text,
  business_key       text not null,
  payload_hash       text not null,
  output_mode        text not null check (output_mode in ('managed', 'transient')),
  status             text not null default 'queued'
    check (status in ('queued', 'rendering', 'succeeded', 'failed', 'retry_scheduled', 'canceled')),
  attempt            integer not null default 0,
  -- Counts claims. A write that names an older claim changes nothing.
  workflow_attempt   integer not null default 0,
  -- When Temporal scheduled the activity that holds the claim: an older activity cannot take it back.
  claim_scheduled_at bigint not null default 0,
  render_timeout_ms  bigint not null,
  requested_at       bigint not null,
  -- When the current wait began.
  queued_at          bigint not null,
  admitted_at        bigint,
  started_at         bigint,
  finished_at        bigint,
  retry_at           bigint,
  error_code         text,
  error_message      text,
  request_id         text not null,
  receipt            jsonb,
  check ((finished_at is not null) = (status in ('succeeded', 'failed', 'canceled')))
);
create index render_jobs_list on render_jobs (deploy_id, id desc);
create index render_jobs_open on render_jobs (id) where finished_at is null;
create index render_jobs_waiting on render_jobs (workspace_id, id) where finished_at is null and admitted_at is null;

-- A payload is deleted in the transaction that ends its job.
create table render_job_payloads (
  job_id text primary key references render_jobs,
  mime   text not null,
  bytes  bytea not null
);
-- Payloads are read once and often already compressed; compressing them costs more than it saves.
alter table render_job_payloads alter column bytes set storage external;

create table render_attempts (
  job_id           text not null references render_jobs,
  workflow_attempt integer not null,
  attempt          integer not null,
  queued_at        bigint not null,
  claimed_at       bigint not null,
  finished_at      bigint,
  load_ms          integer,
  ready_ms         integer,
  print_ms         integer,
  store_ms         integer,
  browser_ms       integer,
  -- 'succeeded', 'canceled', 'interrupted', or the code of the error. Null while the attempt runs or if its worker was lost.
  outcome          text,
  -- The message of a failure. It may quote the document, so it is kept here and not in the workflow's history.
  message          text,
  primary key (job_id, workflow_attempt)
);

create table render_job_logs (
  id               bigint generated always as identity primary key,
  job_id           text not null references render_jobs,
  created_at       bigint not null,
  attempt          integer not null,
  workflow_attempt integer not null,
  level            text not null,
  stage            text not null,
  message          text not null,
  workflow_step    text,
  code             text
);
create index render_job_logs_job on render_job_logs (job_id, id);

create table render_outputs (
  id                      text collate "C" primary key,
  workspace_id            text not null references workspaces,
  job_id                  text not null unique references render_jobs,
  blob_key                text not null,
  file_name               text not null,
  bytes                   bigint not null,
  page_count              integer not null,
  sha256                  text not null,
  state                   text not null default 'available' check (state in ('available', 'deleted')),
  created_at              bigint not null,
  access_guaranteed_until bigint,
  delete_after            bigint,
  delete_reason           text,
  deleted_at              bigint
);

-- The managed PDF of a job in managed mode. It has the same blob as the job's output, which can be deleted before it.
create table pdfs (
  id           text collate "C" primary key,
  workspace_id text not null references workspaces,
  job_id       text not null unique references render_jobs,
  blob_key     text not null,
  file_name    text not null,
  bytes        bigint not null,
  page_count   integer not null,
  sha256       text not null,
  state        text not null default 'available' check (state in ('available', 'deleted')),
  created_at   bigint not null,
  deleted_at   bigint
);

create table idempotency_keys (
  workspace_id text not null references workspaces,
  route        text not null,
  key          text not null,
  fingerprint  text not null,
  -- The body of the answer, without tokens, written in the transaction that inserts the row. It is json, not jsonb, to keep each byte as sent.
  response     json,
  created_at   bigint not null,
  primary key (workspace_id, route, key)
);

-- Calls to Temporal that a committed transaction needs. They are made in order for each workflow, and deleted afterwards.
create table outbox (
  id           bigint generated always as identity primary key,
  workflow_id  text not null,
  message      jsonb not null,
  leased_until bigint not null default 0,
  failures     integer not null default 0
);
create index outbox_workflow on outbox (workflow_id, id);
