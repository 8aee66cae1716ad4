-- The clean-up looks at each file that a version needs once in a while, and not at all of them in every run.
alter table blobs add column looked_at bigint not null default 0;
create index blobs_looked_at on blobs (looked_at);
