-- Each filter of the list of PDFs has an index that also has the order of the answer. What the filters ask for is the job's, and
-- never changes: here it is beside the PDF, because no index spans two tables.
alter table pdfs add column deploy_id text collate "C", add column business_key text;
update pdfs set deploy_id = j.deploy_id, business_key = j.business_key from render_jobs j where j.id = pdfs.job_id;
alter table pdfs alter column deploy_id set not null, alter column business_key set not null;

drop index pdfs_list;
create index pdfs_list on pdfs (workspace_id, created_at desc, id desc) where state = 'available';
create index pdfs_by_deploy on pdfs (deploy_id, created_at desc, id desc) where state = 'available';
create index pdfs_by_business_key on pdfs (workspace_id, business_key, created_at desc, id desc) where state = 'available';
