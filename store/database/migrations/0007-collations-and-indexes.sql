-- Ids are compared as bytes. A column that names another row's id has to be compared in the same way, or its index cannot serve
-- a join with that row: the claim of a job then read all payloads.
do $$
declare
  one record;
begin
  for one in
    select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and data_type = 'text' and collation_name is null and (column_name = 'id' or column_name like '%\_id')
  loop
    execute format('alter table %I alter column %I type text collate "C"', one.table_name, one.column_name);
  end loop;
end $$;

-- Commits that run: there are few, and the sessions that have ended stay as tombstones.
create index upload_sessions_committing on upload_sessions (id) where status = 'committing';
