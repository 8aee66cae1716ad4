-- When the clean-up last checked a file that a version needs. It does not check all of them in every run.
alter table blobs add column looked_at bigint not null default 0;
create index blobs_looked_at on blobs (looked_at);
