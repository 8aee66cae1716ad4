-- Print options as the commit gave them, apart from the caller's metadata. A release before this one writes neither column: its
-- versions are of the first generation, whose options are in metadata.pdf.
alter table deploy_versions
  add column print jsonb,
  add column print_generation integer not null default 1,
  -- What of the commit was not applied: [{code, message}].
  add column warnings jsonb;
