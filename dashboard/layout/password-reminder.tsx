import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { admin } from '../admin.ts';
import { useAccount } from './account.tsx';
import classes from './password-reminder.module.css';

/** Whoever came by a one-time link cannot come back without a password or an identity provider: says so until there is one. */
export function PasswordReminder() {
  const { hasPassword } = useAccount();
  const { pathname } = useLocation();
  const { data: methods } = useQuery(admin.account.signInMethods.queryOptions());
  if (hasPassword || methods?.identityProvider !== false || pathname === '/account') return null;
  return (
    <p className={classes.reminder}>
      You came by a link that works once.{' '}
      <Anchor component={Link} to="/account" inherit>
        Choose a password
      </Anchor>{' '}
      so that you can come back.
    </p>
  );
}
