import { Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate, Outlet, ScrollRestoration, useLocation } from 'react-router';
import { admin, errorCodeOf } from '../admin.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { AccountProvider } from './account.tsx';
import { PasswordReminder } from './password-reminder.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';

/** What stands around every page of whoever has signed in; who has not is sent to sign in, and back afterwards. */
export function Shell() {
  const location = useLocation();
  const { data: account, error, refetch } = useQuery(admin.account.get.queryOptions());
  const [drawerOpen, drawer] = useDisclosure();
  const { close } = drawer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation closes it.
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
