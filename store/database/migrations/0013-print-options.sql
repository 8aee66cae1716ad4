-- Print options as the commit sent them, separate from the caller's metadata. The release before writes neither column: its
-- versions have generation 1, whose options are in metadata.pdf.
alter table deploy_versions
  add column print jsonb,
  add column print_generation integer not null default 1,
  -- Parts of the commit that were not applied: [{code, message}].
  add column warnings jsonb;
