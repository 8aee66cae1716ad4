-- Fair order between workspaces: each row has a turn, and each workspace has one row in each turn (start-time fair queueing). So a
-- workspace with a thousand calls does not delay the single call of another.
-- The defaults are for processes of the release before: their calls come first.
alter table outbox add column workspace_id text collate "C" not null default '', add column turn bigint not null default 0;
-- When the row was written, for operators.
alter table outbox add column created_at timestamptz not null default now();
create index outbox_turn on outbox (turn, id);
create index outbox_workspace on outbox (workspace_id, turn);
