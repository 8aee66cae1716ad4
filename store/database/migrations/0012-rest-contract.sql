-- The output of a job is deleted with its managed PDF. Outputs of PDFs that were deleted earlier
-- still had their blob and counted as storage.
with ended as (
  update render_outputs o set state = 'deleted', delete_reason = 'manual', deleted_at = p.deleted_at
  from pdfs p where p.job_id = o.job_id and p.state = 'deleted' and o.state = 'available'
  returning o.workspace_id, o.bytes, o.blob_key, o.deleted_at
), scheduled as (
  insert into blob_deletions (blob_key, due_at) select blob_key, deleted_at from ended on conflict do nothing
)
update storage_usage s set render_output_bytes = s.render_output_bytes - freed.bytes
from (select workspace_id, sum(bytes) as bytes from ended group by workspace_id) freed
where freed.workspace_id = s.workspace_id;

-- For the clean-up of temporary deploys: finds the deploys that can still get a commit.
create index upload_sessions_unended on upload_sessions (deploy_id) where status in ('open', 'committing');

-- The sum of a job's waits. The wait that began at queued_at is not part of it until it ends.
alter table render_jobs add column queue_wait_ms bigint not null default 0;
update render_jobs j set queue_wait_ms = waited.ms
from (select a.job_id, sum(greatest(0, a.claimed_at - a.queued_at)) as ms from render_attempts a group by a.job_id) waited
where waited.job_id = j.id;
update render_jobs j set queue_wait_ms = finished_at - requested_at
where finished_at is not null and not exists (select from render_attempts a where a.job_id = j.id);
-- Jobs that wait for a retry get the time at which that wait began, as newer releases write it.
update render_jobs j set queued_at = ended.at
from (select a.job_id, max(a.finished_at) as at from render_attempts a group by a.job_id) ended
where ended.job_id = j.id and j.status = 'retry_scheduled' and ended.at is not null;

-- How long a session stays open after its creation and each time that it is opened again.
-- The default is for processes of the release before.
alter table upload_sessions add column lifetime_ms bigint not null default 3600000;
update upload_sessions set lifetime_ms = expires_at - created_at;
