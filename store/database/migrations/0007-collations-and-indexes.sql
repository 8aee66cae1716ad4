-- Ids are compared as bytes. A column with the id of another row must have the same collation, else its index cannot be used for a
-- join with that row: the claim of a job read all payloads.
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

-- For running commits. There are few of them, while ended sessions stay as tombstones.
create index upload_sessions_committing on upload_sessions (id) where status = 'committing';
