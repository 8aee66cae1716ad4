import { Anchor } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { useAccount } from './account.tsx';
import classes from './password-reminder.module.css';

/** Whoever came by a one-time link cannot come back yet: says so until there is a way. */
export function PasswordReminder() {
  const { complete } = useAccount();
  const { pathname } = useLocation();
  if (complete || pathname === '/account') return null;
  return (
    <p className={classes.reminder}>
      You came by a link that works once.{' '}
      <Anchor component={Link} to="/account" inherit underline="always">
        Choose a password
      </Anchor>{' '}
      so that you can come back.
    </p>
  );
}
