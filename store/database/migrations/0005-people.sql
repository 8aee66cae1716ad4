-- Users, their sessions and their roles.

-- Tables of better-auth with the columns that it expects. Their times are dates, because the library reads and writes dates. `operator` is our column.
create table users (
  id             text collate "C" primary key,
  name           text not null,
  email          text not null unique,
  email_verified boolean not null default false,
  image          text,
  -- True if the user may do everything in every workspace.
  operator       boolean not null default false,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now()
);

create table user_sessions (
  id         text primary key,
  user_id    text not null references users on delete cascade,
  token      text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index user_sessions_user on user_sessions (user_id);

-- Ways to sign in: a password, or an account of an identity provider.
create table user_accounts (
  id                       text primary key,
  user_id                  text not null references users on delete cascade,
  provider_id              text not null,
  account_id               text not null,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  password                 text,
  created_at               timestamptz not null default now(),
  updated_at               timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index user_accounts_user on user_accounts (user_id);

create table user_verifications (
  id         text primary key,
  identifier text not null,
  value      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index user_verifications_identifier on user_verifications (identifier);

create table sign_in_rate_limits (
  id           text primary key,
  key          text not null unique,
  count        integer not null,
  last_request bigint not null
);

-- Links that sign a user in once. The link contains the token, and this table its SHA-256.
create table sign_in_links (
  token_hash bytea primary key,
  user_id    text not null references users on delete cascade,
  created_at bigint not null,
  expires_at bigint not null,
  used_at    bigint
);

-- Changed only under the row lock of the workspace, because the plan limits the number of members and one owner must remain.
create table workspace_members (
  workspace_id text not null references workspaces,
  user_id      text not null references users on delete cascade,
  role         text not null check (role in ('owner', 'member')),
  created_at   bigint not null,
  primary key (workspace_id, user_id)
);
create index workspace_members_user on workspace_members (user_id);

create table invitations (
  id           text collate "C" primary key,
  workspace_id text not null references workspaces,
  email        text not null,
  role         text not null check (role in ('owner', 'member')),
  token_hash   bytea not null unique,
  invited_by   text not null,
  created_at   bigint not null,
  expires_at   bigint not null,
  accepted_at  bigint,
  revoked_at   bigint
);
create index invitations_open on invitations (workspace_id, id desc) where accepted_at is null and revoked_at is null;
create index invitations_email on invitations (email) where accepted_at is null and revoked_at is null;

-- The changes that were made in the admin router. Rows are never changed and contain no secrets.
create table audit_log (
  id           text collate "C" primary key,
  -- Null for an action on no workspace.
  workspace_id text references workspaces,
  -- A user's id, 'admin-token', or 'npm start'.
  actor        text not null,
  action       text not null,
  target       text,
  details      jsonb,
  created_at   bigint not null
);
create index audit_log_workspace on audit_log (workspace_id, id desc);

alter table workspaces add column billing_email text;
alter table api_keys add column last_used_at bigint;
alter table api_keys add column created_by text;
create index api_keys_workspace on api_keys (workspace_id, id desc);

-- Indexes for the search of jobs, newest first: all jobs of a workspace, or those with one state, business key or error code.
create index render_jobs_search on render_jobs (workspace_id, requested_at desc, id desc);
create index render_jobs_by_status on render_jobs (workspace_id, status, requested_at desc, id desc);
create index render_jobs_by_business_key on render_jobs (workspace_id, business_key, requested_at desc, id desc);
create index render_jobs_by_error on render_jobs (workspace_id, error_code, requested_at desc, id desc)
  where error_code is not null;
create index render_jobs_by_deploy on render_jobs (deploy_id, requested_at desc, id desc);
create index render_outputs_list on render_outputs (workspace_id, id desc);
