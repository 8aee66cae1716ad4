-- The URLs that a workspace gets webhooks at. Deleting an endpoint also deletes its deliveries and their log.
create table webhook_endpoints (
  id                 text collate "C" primary key,
  workspace_id       text not null references workspaces,
  url                text not null,
  secret_sealed      bytea not null,
  -- The former secret during a rotation, and the time until which it also signs.
  old_secret_sealed  bytea,
  old_secret_ends_at bigint,
  disabled_at        bigint,
  disabled_reason    text check (disabled_reason in ('manual', 'gone', 'failing')),
  -- The time of the first failure since the last success, or since the endpoint was enabled or got a new URL.
  failing_since      bigint,
  created_at         bigint not null,
  updated_at         bigint not null,
  check ((old_secret_sealed is null) = (old_secret_ends_at is null)),
  check ((disabled_at is null) = (disabled_reason is null))
);
create index webhook_endpoints_workspace on webhook_endpoints (workspace_id, id);

-- Events: one for each job that ended while its workspace had an enabled endpoint, and one for each test.
create table webhook_events (
  id         text collate "C" primary key,
  -- Null for a test event.
  job_id     text unique references render_jobs,
  created_at bigint not null
);
create index webhook_events_age on webhook_events (created_at);

-- The delivery of an event to an endpoint. A replay is another delivery of the same event.
create table webhook_deliveries (
  id              text collate "C" primary key,
  workspace_id    text not null references workspaces,
  endpoint_id     text not null references webhook_endpoints on delete cascade,
  event_id        text not null references webhook_events,
  state           text not null default 'pending' check (state in ('pending', 'succeeded', 'failed')),
  attempts        integer not null default 0,
  -- Null before the first attempt is scheduled.
  next_attempt_at bigint,
  created_at      bigint not null,
  finished_at     bigint,
  check ((finished_at is null) = (state = 'pending'))
);
create index webhook_deliveries_list on webhook_deliveries (workspace_id, id desc);
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id desc);
create index webhook_deliveries_event on webhook_deliveries (event_id);
create index webhook_deliveries_pending on webhook_deliveries (id) where state = 'pending';
create index webhook_deliveries_age on webhook_deliveries (finished_at) where state <> 'pending';

-- The log of a delivery. Bodies are truncated, and links in them do not work.
create table webhook_attempts (
  delivery_id      text not null references webhook_deliveries on delete cascade,
  attempt          integer not null,
  started_at       bigint not null,
  duration_ms      integer not null,
  request_headers  jsonb not null,
  request_body     text not null,
  response_status  integer,
  response_headers jsonb,
  response_body    text,
  error            text,
  primary key (delivery_id, attempt)
);
