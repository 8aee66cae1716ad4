import { ActionIcon, Anchor, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, Navigate, Outlet, ScrollRestoration, useLocation } from 'react-router';
import { admin, errorCodeOf } from '../admin.ts';
import { ErrorNotice } from '../components/ui/notice.tsx';
import { PageSkeleton } from '../components/ui/page.tsx';
import { AccountProvider, useAccount } from '../session.tsx';
import classes from './shell.module.css';
import { Brand, Sidebar } from './sidebar.tsx';

/** The frame around every page of a signed-in user. Without a session it redirects to the sign-in page, which returns here. */
export function Shell() {
  const location = useLocation();
  const { data: account, error, refetch } = useQuery(admin.account.get.queryOptions());
  const [drawerOpen, drawer] = useDisclosure();
  const { close } = drawer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes on every navigation.
  useEffect(close, [location.pathname, close]);

  if (errorCodeOf(error) === 'unauthorized') {
    const next = location.pathname + location.search;
    return <Navigate to={`/sign-in?${new URLSearchParams({ next })}`} replace />;
  }
  if (!account)
    return (
      <main className={classes.main}>
        {error ? <ErrorNotice error={error} retry={refetch} /> : <PageSkeleton />}
      </main>
    );
  return (
    <AccountProvider value={account}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <div className={classes.shell}>
        <div className={classes.sidebar}>
          <Sidebar />
        </div>
        <TopBar onOpen={drawer.open} />
        <Drawer
          opened={drawerOpen}
          onClose={close}
          size={280}
          title="Navigation"
          closeButtonProps={{ 'aria-label': 'Close navigation' }}
        >
          <Sidebar />
        </Drawer>
        <main id="main" className={classes.main} tabIndex={-1}>
          <PasswordReminder />
          <Outlet />
        </main>
      </div>
      <ScrollRestoration />
    </AccountProvider>
  );
}

/** Replaces the sidebar on small screens. */
const TopBar = ({ onOpen }: { onOpen: () => void }) => (
  <nav aria-label="Top" className={classes['top-bar']}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label="Open navigation"
      onClick={onOpen}
    >
      <IconMenu2 size={20} />
    </ActionIcon>
    <Brand />
  </nav>
);

/** Reminds users who signed in by a one-time link to choose a password: without one they cannot sign in again. */
function PasswordReminder() {
  const { complete } = useAccount();
  const { pathname } = useLocation();
  if (complete || pathname === '/account') return null;
  return (
    <p className={classes.reminder}>
      You signed in by a one-time link.{' '}
      <Anchor component={Link} to="/account" inherit underline="always">
        Choose a password
      </Anchor>{' '}
      so that you can sign in again.
    </p>
  );
}
