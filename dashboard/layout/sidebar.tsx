import { Stack } from '@mantine/core';
import { generatePath, Link, NavLink, useParams } from 'react-router';
import { serviceName } from '../components/ui/page.tsx';
import { navigationGroups, type Page, servicePages, workspacePages } from '../pages.ts';
import { useCurrentWorkspace, useRights } from '../session.tsx';
import { UserMenu, WorkspaceSwitcher } from './menus.tsx';
import classes from './sidebar.module.css';

export const Sidebar = () => (
  <Stack component="nav" aria-label="Main" className={classes.sidebar ?? ''} gap="md">
    <div className={classes.brand}>
      <Brand />
    </div>
    <WorkspaceSwitcher />
    <Navigation />
    <UserMenu />
  </Stack>
);

/** The service's mark and name, which lead to the start. */
export const Brand = () => (
  <Link to="/" className={classes.home}>
    <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={24} height={24} />
    {serviceName}
  </Link>
);

/** The pages that whoever has signed in gets to see, in their groups. */
export function Navigation() {
  const workspace = useCurrentWorkspace();
  // Known by the address before it is read: the links do not move when it is.
  const { workspaceId = workspace?.id } = useParams();
  const rights = useRights(workspace);
  const seen = [...(workspaceId ? workspacePages : []), ...servicePages].filter(
    ({ seenBy }) => rights[seenBy],
  );
  return (
    <div className={classes.groups}>
      {navigationGroups.map((group) => {
        const pages = seen.filter(({ navigation }) => navigation?.group === group);
        if (pages.length === 0) return null;
        return (
          <div key={group}>
            <p className={classes['group-title']}>{group}</p>
            <ul className={classes.group}>
              {pages.map((page) => (
                <li key={page.path}>
                  <PageLink page={page} workspaceId={workspaceId ?? ''} />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </div>
  );
}

function PageLink({ page, workspaceId }: { page: Page; workspaceId: string }) {
  const { path, title, navigation } = page;
  const Icon = navigation?.icon;
  // The overview's address begins those of all other pages of its workspace.
  const isOverview = path === ':workspaceId';
  return (
    <NavLink
      to={`/${generatePath(path, { workspaceId })}`}
      end={isOverview}
      className={classes.link ?? ''}
    >
      {Icon && <Icon size={18} stroke={1.6} />}
      {title}
    </NavLink>
  );
}
