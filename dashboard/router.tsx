import { createBrowserRouter, type RouteObject } from 'react-router';
import { dashboardPath } from '../contracts/processes/web-addresses.ts';
import { BrokenApp, BrokenPage, GuardedPage, WorkspaceOutlet } from './layout/page-guards.tsx';
import { Shell } from './layout/shell.tsx';
import { type Page, servicePages, workspacePages } from './pages.ts';

const toRoute = (page: Page): RouteObject => ({
  path: page.path,
  lazy: async () => {
    const { default: component } = await page.load();
    return { element: <GuardedPage page={page} component={component} /> };
  },
});

const toLazy = (load: Page['load']) => async () => ({ Component: (await load()).default });

export const router = createBrowserRouter(
  [
    {
      errorElement: <BrokenApp />,
      // Shown for the few milliseconds until the script of the page has loaded. A skeleton would only flash.
      hydrateFallbackElement: <span />,
      children: [
        { path: 'sign-in', lazy: toLazy(() => import('./pages/sign-in.tsx')) },
        { path: 'invitation', lazy: toLazy(() => import('./pages/invitation.tsx')) },
        {
          Component: Shell,
          children: [
            {
              // This is inside the shell, so the navigation stays when a page does not load.
              errorElement: <BrokenPage />,
              children: [
                ...servicePages.map(toRoute),
                { Component: WorkspaceOutlet, children: workspacePages.map(toRoute) },
                { index: true, lazy: toLazy(() => import('./pages/start.tsx')) },
                { path: '*', lazy: toLazy(() => import('./pages/not-found.tsx')) },
              ],
            },
          ],
        },
      ],
    },
  ],
  { basename: dashboardPath },
);
