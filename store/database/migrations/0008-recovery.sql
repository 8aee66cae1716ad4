-- If true, opening the link ends the user's sessions and ways to sign in, so that the user chooses a new password.
alter table sign_in_links add column recovers boolean not null default false;
