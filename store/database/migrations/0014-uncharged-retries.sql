-- False while a job waits for trouble of the service to pass: its retry is then the same attempt. A release before this one knows
-- charged retries only.
alter table render_jobs add column retry_charged boolean not null default true;
