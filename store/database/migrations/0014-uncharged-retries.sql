-- False while a job waits for an outage of the service to end: its retry is the same attempt. The release before knows only
-- charged retries.
alter table render_jobs add column retry_charged boolean not null default true;
