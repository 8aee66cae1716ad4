-- If true, the use of the link deletes the user's sessions and ways to sign in, so that the user chooses a new password.
alter table sign_in_links add column recovers boolean not null default false;
