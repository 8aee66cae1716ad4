-- The usage of a workspace in each bill period, a calendar month in UTC. One statement changes a counter and checks its limit,
-- in the transaction that does what is counted.
create table usage_periods (
  workspace_id            text not null references workspaces,
  period_start            bigint not null,
  deploy_commits          integer not null default 0 check (deploy_commits >= 0),
  render_jobs             integer not null default 0 check (render_jobs >= 0),
  render_time_ms          bigint not null default 0 check (render_time_ms >= 0),
  -- Render time that is reserved for running attempts.
  reserved_render_time_ms bigint not null default 0 check (reserved_render_time_ms >= 0),
  primary key (workspace_id, period_start)
);

-- Render time of an attempt: reserved while it runs, in the bill period in which it began, and charged once when it has ended.
alter table render_attempts
  add column period_start bigint not null default 0,
  add column reserved_ms  bigint not null default 0,
  add column charged_ms   bigint not null default 0,
  add column settled      boolean not null default false;
update render_attempts set settled = true, charged_ms = ceil(coalesce(browser_ms, 0) / 100.0) * 100;

-- The bytes that a workspace stores now.
create table storage_usage (
  workspace_id         text primary key references workspaces,
  deploy_version_bytes bigint not null default 0 check (deploy_version_bytes >= 0),
  managed_pdf_bytes    bigint not null default 0 check (managed_pdf_bytes >= 0),
  render_output_bytes  bigint not null default 0 check (render_output_bytes >= 0)
);

-- The days (UTC) on which managed PDFs were added or deleted: the peak of the day, and the bytes at its end. On the
-- following days without a row, the peak is these closing bytes.
create table managed_pdf_days (
  workspace_id  text not null references workspaces,
  day           date not null,
  peak_bytes    bigint not null,
  closing_bytes bigint not null,
  primary key (workspace_id, day)
);

insert into storage_usage
select w.id,
  coalesce((select sum(bytes) from deploy_versions v where v.workspace_id = w.id and v.status = 'ready'), 0),
  coalesce((select sum(bytes) from pdfs p where p.workspace_id = w.id and p.state = 'available'), 0),
  coalesce((select sum(bytes) from render_outputs o where o.workspace_id = w.id and o.state = 'available'
    and not exists (select from pdfs p where p.job_id = o.job_id and p.state = 'available')), 0)
from workspaces w;

insert into managed_pdf_days
select workspace_id, (now() at time zone 'UTC')::date, managed_pdf_bytes, managed_pdf_bytes from storage_usage;

insert into usage_periods (workspace_id, period_start, deploy_commits, render_jobs, render_time_ms)
select workspace_id, period_start, sum(commits), sum(jobs), sum(ms) from (
  select workspace_id, date_trunc('month', to_timestamp(created_at / 1000.0), 'UTC') as month, 1 as commits, 0 as jobs, 0 as ms
  from deploy_versions
  union all
  select workspace_id, date_trunc('month', to_timestamp(requested_at / 1000.0), 'UTC'), 0, 1, 0
  from render_jobs where started_at is not null or finished_at is null
  union all
  select j.workspace_id, date_trunc('month', to_timestamp(a.claimed_at / 1000.0), 'UTC'), 0, 0, a.charged_ms
  from render_attempts a join render_jobs j on j.id = a.job_id
) used cross join lateral (select (extract(epoch from month) * 1000)::bigint as period_start) p
group by workspace_id, period_start;

-- For the position of a job in the queue of its workspace.
create index render_jobs_queued on render_jobs (workspace_id, id) where status = 'queued';
create index render_jobs_rendering on render_jobs (workspace_id) where status = 'rendering';
-- For the mean duration of the workspace's latest jobs.
create index render_jobs_ended on render_jobs (workspace_id, finished_at desc) where started_at is not null and finished_at is not null;
