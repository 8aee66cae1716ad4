-- Which of SECRET_KEY has sealed a row's secrets; the clean-up seals again what another than the current one has.
alter table permanent_links add column sealed_by text not null default '';
alter table webhook_endpoints add column sealed_by text not null default '';
create index permanent_links_sealed_by on permanent_links (sealed_by) where deleted_at is null;
