-- Opening such a link ends the person's sessions and ways to sign in: a new password is chosen then.
alter table sign_in_links add column recovers boolean not null default false;
