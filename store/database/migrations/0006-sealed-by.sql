-- The id of the SECRET_KEY that encrypted the secrets of a row. The clean-up encrypts them again if that is not the current key.
alter table permanent_links add column sealed_by text not null default '';
alter table webhook_endpoints add column sealed_by text not null default '';
create index permanent_links_sealed_by on permanent_links (sealed_by) where deleted_at is null;
