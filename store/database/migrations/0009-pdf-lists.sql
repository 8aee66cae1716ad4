-- Each filter of the list of PDFs has an index in the order of the list. The filtered columns belong to the job and never
-- change. They are copied to the PDF, because no index spans two tables.
alter table pdfs add column deploy_id text collate "C", add column business_key text;
update pdfs set deploy_id = j.deploy_id, business_key = j.business_key from render_jobs j where j.id = pdfs.job_id;
alter table pdfs alter column deploy_id set not null, alter column business_key set not null;

-- The trigger fills these columns if an insert leaves them out: workers of the release before do so, and print until they are replaced.
create function fill_pdf_job() returns trigger language plpgsql as $$
begin
  if new.deploy_id is null then
    select j.deploy_id, j.business_key into new.deploy_id, new.business_key from render_jobs j where j.id = new.job_id;
  end if;
  return new;
end $$;
create trigger pdfs_job before insert on pdfs for each row execute function fill_pdf_job();

drop index pdfs_list;
create index pdfs_list on pdfs (workspace_id, created_at desc, id desc) where state = 'available';
create index pdfs_by_deploy on pdfs (deploy_id, created_at desc, id desc) where state = 'available';
create index pdfs_by_business_key on pdfs (workspace_id, business_key, created_at desc, id desc) where state = 'available';
