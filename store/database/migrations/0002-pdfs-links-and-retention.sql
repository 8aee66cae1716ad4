-- Public links to managed PDFs.
create table permanent_links (
  id           text collate "C" primary key,
  workspace_id text not null references workspaces,
  pdf_id       text not null references pdfs,
  -- The row is found by the hash of the token. The token is also kept encrypted, because lists show the link again.
  token_hash   bytea not null unique,
  token_sealed bytea not null,
  created_at   bigint not null,
  deleted_at   bigint
);
create index permanent_links_pdf on permanent_links (pdf_id, id) where deleted_at is null;

create index pdfs_list on pdfs (workspace_id, id desc) where state = 'available';

-- Scheduled deletions of blobs. A row is written in the transaction after which nothing needs the blob, or before a blob is written
-- that may never be needed; then the row is deleted when the blob is needed. The API deletes a blob at once if a
-- client waits for it, else the clean-up does.
create table blob_deletions (
  blob_key     text primary key,
  due_at       bigint not null,
  leased_until bigint not null default 0
);
create index blob_deletions_due on blob_deletions (due_at);

create index render_outputs_due on render_outputs (delete_after) where state = 'available' and delete_after is not null;
create index upload_sessions_open on upload_sessions (expires_at) where status = 'open';
create index idempotency_keys_age on idempotency_keys (created_at);
create index deploys_temporary on deploys (created_at) where temporary and deleted_at is null;

-- When the files and packs of a deleted version were released. No open job needed them any more.
alter table deploy_versions add column purged_at bigint;
create index deploy_versions_unpurged on deploy_versions (id) where status = 'deleted' and purged_at is null;

create index render_jobs_version_open on render_jobs (deploy_version_id) where finished_at is null;
-- The clean-up uses these indexes to find the versions and open sessions that need a file.
create index deploy_version_files_sha256 on deploy_version_files (sha256);
create index upload_session_files_by_sha256 on upload_session_files (sha256);
