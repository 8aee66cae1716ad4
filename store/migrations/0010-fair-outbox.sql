-- A workspace that owes a thousand calls does not hold up another's one: each row has a turn, and of each workspace one is in
-- every turn (start-time fair queueing).
alter table outbox add column workspace_id text collate "C" not null default '', add column turn bigint not null default 0;
-- Since when it is owed, for operators.
alter table outbox add column created_at timestamptz not null default now();
alter table outbox alter column workspace_id drop default, alter column turn drop default;
create index outbox_turn on outbox (turn, id);
create index outbox_workspace on outbox (workspace_id, turn);
