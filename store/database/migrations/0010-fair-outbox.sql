-- A workspace that owes a thousand calls does not hold up another's one: each row has a turn, and of each workspace one is in
-- every turn (start-time fair queueing).
-- With defaults for processes of the release before: what they owe is served first.
alter table outbox add column workspace_id text collate "C" not null default '', add column turn bigint not null default 0;
-- Since when it is owed, for operators.
alter table outbox add column created_at timestamptz not null default now();
create index outbox_turn on outbox (turn, id);
create index outbox_workspace on outbox (workspace_id, turn);
